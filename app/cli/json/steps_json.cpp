#include "app/cli/json/steps_json.h"

#include "app/cli/json/blocks_json.h"
#include "explain/inactive_lanes/inactive_lanes.h"
#include "model/source_line.h"
#include "viz/cursor/lookup.h"
#include "viz/facts/explained_run.h"

#include <array>

namespace lockstep::cli {
namespace {

constexpr std::size_t kMostSteps = 2048;  // of all blocks, with inactive lanes
// A reason is searched before and after its step: for a longer warp that takes too long.
constexpr std::size_t kLongestWarp = 4096;

std::string_view nameOf(explain::InactiveLanes::Why why) {
    constexpr std::array<std::string_view, 9> kNames{
        "predicated_off",    // predicated off: the instruction's guard is false
        "not_taken",         // the same for a branch: they fall through
        "other_path_later",  // they took the other path, which the warp runs later
        "other_path_done",   // they took the other path, which has run, and wait where the paths reconverge
        "at_reconvergence",  // their path leads straight to where the paths reconverge
        "left_loop",         // they wait for those that are still in the loop
        "returns_later",     // they branched to the exit, which the warp runs later
        "returned",          // they have exited
        "unknown"};          // the record does not show it
    return kNames[std::size_t(why)];
}

Json reasonsJson(const ptx::Module& module, const std::vector<explain::InactiveLanes>& reasons) {
    Json list = Json::array();
    for (const explain::InactiveLanes& one : reasons)
        list.push_back({{"lanes", one.lanes.bits},
                        {"why", nameOf(one.why)},
                        {"at_pc", one.at == kNoPc ? Json(nullptr) : Json(one.at.value)},
                        {"sentence", explain::inactiveLanesInWords(module, one, Language::English)}});
    return list;
}

}  // namespace

Json phasesJson(const run::Run& run) {
    return blocksJson(run, [&](const trace::FocusBlock& block, Json& json) {
        Json warps = Json::array();
        const Cursor cursor{block.launch, block.block, {}, {}, 0};
        const explain::BandFacts facts = viz::bandFactsOf(run, cursor, explain::LazyFlow(run, cursor));
        for (u32 w = 0; w < block.warps.size(); ++w) {
            Json phases = Json::array();
            for (const explain::Band& band : viz::bandsOf(run, block, Warp{w}, facts, Language::English))
                phases.push_back({{"name", band.name}, {"first", band.first + 1}, {"last", band.end}});
            warps.push_back({{"warp", w}, {"phases", std::move(phases)}});
        }
        json["warps"] = std::move(warps);
    });
}

Json inactiveJson(const run::Run& run) {
    std::size_t room = kMostSteps;
    return blocksJson(run, [&](const trace::FocusBlock& block, Json& json) {
        Json steps = Json::array();
        u64 leftOut = 0;
        for (u32 w = 0; w < block.warps.size(); ++w) {
            const trace::WarpTrace& warp = block.warps[w];
            const LaneMask exist = LaneMask::firstLanes(explain::lanesOf(block, Warp{w}));
            for (u32 s = 0; s < warp.steps.size(); ++s) {
                if ((exist & ~warp.steps[s].active).empty()) continue;
                if (room == 0 || warp.steps.size() > kLongestWarp) {
                    ++leftOut;
                    continue;
                }
                --room;
                const Pc pc = warp.steps[s].pc;
                steps.push_back({{"warp", w},
                                 {"step", s + 1},
                                 {"pc", pc.value},
                                 {"line", model::sourceLineOf(pc, *run.module).line},
                                 {"reasons", reasonsJson(*run.module, explain::inactiveLanes(
                                                                          *run.module, warp, s, exist))}});
            }
        }
        json["steps"] = std::move(steps);
        json["steps_left_out"] = leftOut;
    });
}

}  // namespace lockstep::cli
