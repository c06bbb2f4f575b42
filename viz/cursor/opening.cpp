// Finds the step at which a run is first shown.
#include "viz/cursor/opening.h"

#include "explain/access/block_events.h"
#include "explain/access/shared_cost.h"
#include "explain/branches.h"
#include "explain/cursor/navigation.h"
#include "explain/findings/finding_places.h"
#include "explain/matrices/matmul_facts.h"
#include "explain/sentences/finding_groups.h"
#include "explain/shape.h"
#include "model/access/global_sectors.h"
#include "ptx/opcodes.h"
#include "viz/cursor/lookup.h"
#include "viz/views/stage_of_shape.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

namespace lockstep::viz {
namespace {

using catalog::Opening;
using trace::AccessKind, trace::Space, trace::StoredAccess, trace::WarpTrace;

Cursor atStep(Cursor cursor, u32 step) {
    cursor.step = step;
    return cursor;
}

// By pc: the instructions of lines that have this text.
std::vector<bool> onLinesWith(const ptx::Module& module, std::string_view text) {
    std::vector<bool> is(module.instructions.size());
    for (u32 pc = 0; pc < is.size(); ++pc)
        is[pc] =
            explain::textOfLine(module, explain::lineOf(module, Pc{pc})).find(text) != std::string_view::npos;
    return is;
}

bool does(const run::Run& run, const WarpTrace& warp, u32 step, Opening::Does wanted) {
    const Pc pc = warp.steps[step].pc;
    const StoredAccess* access = explain::accessOf(warp, step);
    const auto touches = [&](AccessKind kind) {
        return access && access->kind == kind && !access->active.empty();
    };
    switch (wanted) {
        case Opening::Does::Anything: return true;
        case Opening::Does::Access: return access && !access->active.empty();
        case Opening::Does::Load: return touches(AccessKind::Load);
        case Opening::Does::Store: return touches(AccessKind::Store);
        case Opening::Does::Atomic: return access && trace::isAtomic(access->kind) && !access->active.empty();
        case Opening::Does::Branch: return explain::isConditionalBranch(*run.module, pc);
        case Opening::Does::Shuffle:
            return pc.value < run.module->instructions.size() &&
                   ptx::opcodeTable()[run.module->at(pc).opcode].name == "shfl";
    }
    return false;
}

// The n-th step of a warp on such a line that does what is wanted, the last where there are fewer.
std::optional<u32> stepOn(const run::Run& run, const WarpTrace& warp, const std::vector<bool>& isOn,
                          Opening::Does wanted, u32 time) {
    std::optional<u32> found;
    for (u32 s = 0; s < warp.steps.size() && time > 0; ++s)
        if (const Pc pc = warp.steps[s].pc;
            pc.value < isOn.size() && isOn[pc.value] && does(run, warp, s, wanted))
            found = s, --time;
    return found;
}

// In the warp that it names if that one comes there, else in the first recorded that does.
std::optional<Cursor> placeOf(const run::Run& run, const Opening& opening, Opening::Does wanted) {
    const std::vector<bool> isOn = onLinesWith(*run.module, opening.at);
    const auto inWarp = [&](const trace::FocusBlock& block, u32 w) -> std::optional<Cursor> {
        if (w >= block.warps.size()) return std::nullopt;
        const std::optional<u32> step = stepOn(run, block.warps[w], isOn, wanted, opening.time);
        if (!step) return std::nullopt;
        Cursor cursor{
            .launch = block.launch, .block = block.block, .warp = Warp{w}, .lane = {}, .step = *step};
        const trace::Step& there = block.warps[w].steps[*step];
        const StoredAccess* access = explain::accessOf(block.warps[w], *step);
        const LaneMask active = access && !access->active.empty() ? access->active : there.active;
        if (!active.empty()) cursor.lane = active.lowest();
        if (opening.lane && active.has(Lane{*opening.lane})) cursor.lane = Lane{*opening.lane};
        return cursor;
    };
    const auto& blocks = run.recording.trace.blocks;
    for (const trace::FocusBlock& block : blocks)
        if (const auto found = inWarp(block, opening.warp)) return found;
    for (const trace::FocusBlock& block : blocks)
        for (u32 w = 0; w < block.warps.size(); ++w)
            if (const auto found = inWarp(block, w)) return found;
    return std::nullopt;
}

// The place that the variant's texts speak of; none where it names none or the run never comes there.
std::optional<Cursor> chosenPlace(const run::Run& run) {
    if (!run.catalog || !run.catalog->variant || !run.catalog->variant->opening) return std::nullopt;
    const Opening& opening = *run.catalog->variant->opening;
    if (opening.does != Opening::Does::Anything) return placeOf(run, opening, opening.does);
    const std::optional<Cursor> access = placeOf(run, opening, Opening::Does::Access);
    return access ? access : placeOf(run, opening, Opening::Does::Anything);
}

// The stage for which places are looked for: the family's, else that of what a kernel of the user's own does.
std::string_view stageOf(const run::Run& run) {
    if (run.catalog && run.catalog->family)
        return run.catalog->family->stage.empty() ? "generic" : std::string_view(run.catalog->family->stage);
    if (run.recording.trace.blocks.empty() || !run.module) return "generic";
    const trace::FocusBlock& block = run.recording.trace.blocks.front();
    const auto flow =
        explain::BlockFlow::of(*run.module, launchOf(run, block.launch), run.recording.initial.size(), block);
    if (!flow) return "generic";
    const explain::Shape shape = explain::shapeOf(*run.module, run.recording.initial, block, *flow).shape;
    if (const std::string_view stage = stageOfShape(shape); !stage.empty()) return stage;
    return shape == explain::Shape::Copy ? "coalescing" : "generic";
}

// The first word that a thread takes from another: what is put there before shows nothing yet.
std::optional<Cursor> firstExchange(const trace::FocusBlock& block) {
    constexpr std::size_t kMost = 4096;  // steps: where there is none in so many, the kernel is not about it
    std::unordered_map<u64, u32> writers;  // by address: the thread that wrote it last
    std::vector<explain::BlockEvent> events = explain::sharedEvents(block);
    events.resize(std::min(events.size(), kMost));
    for (const explain::BlockEvent& e : events) {
        const WarpTrace& warp = block.warps[e.warp];
        const StoredAccess& access = *e.access;
        for (const Lane lane : access.active) {
            const u64 address = warp.address(access, lane);
            const u32 thread = e.warp * kWarpSize + lane.value;
            const auto writer = writers.find(address);
            if (e.isLoad && warp.phaseOf(e.step) > 0 && writer != writers.end() && writer->second != thread)
                return Cursor{.launch = block.launch,
                              .block = block.block,
                              .warp = Warp{e.warp},
                              .lane = lane,
                              .step = e.step};
            if (trace::writes(access.kind)) writers[address] = thread;
        }
    }
    return std::nullopt;
}
std::optional<Cursor> firstExchange(const run::Run& run) {
    for (const trace::FocusBlock& block : run.recording.trace.blocks)
        if (const auto found = firstExchange(block)) return found;
    return std::nullopt;
}

// In the first warp that is recorded, where it loses something.
std::optional<Cursor> firstConflict(const run::Run& run) {
    const Cursor worst = explain::worstBankConflict(run, run.profile, explain::clamped(run, {}));
    const CursorContext there = lookUp(run, worst);
    if (!there.access || !explain::isConflict(run, run.profile, *there.warp, worst.step)) return std::nullopt;
    Cursor cursor = worst;
    if (!there.access->active.has(cursor.lane)) cursor.lane = there.access->active.lowest();
    return cursor;
}

// The same step, on the lowest lane that takes part in it where its own does not.
Cursor onActiveLane(const run::Run& run, Cursor cursor) {
    const CursorContext here = lookUp(run, cursor);
    if (here.access && !here.access->active.empty() && !here.access->active.has(cursor.lane))
        cursor.lane = here.access->active.lowest();
    return cursor;
}

// Where the first warp that is recorded first updates shared memory with atomics.
std::optional<Cursor> firstSharedAtomic(const run::Run& run) {
    const Cursor begin = explain::clamped(run, {});
    const CursorContext here = lookUp(run, begin);
    for (u32 s = 0; here.warp && s < here.warp->steps.size(); ++s)
        if (const StoredAccess* access = explain::accessOf(*here.warp, s);
            access && access->space == Space::Shared && trace::isAtomic(access->kind) &&
            !access->active.empty())
            return atStep(begin, s);
    return std::nullopt;
}

// Of the first warp's accesses to shared memory behind a barrier, where what other threads left may be read,
// the first that most lanes make.
std::optional<Cursor> firstSharedBehindBarrier(const run::Run& run) {
    const Cursor begin = explain::clamped(run, {});
    const CursorContext here = lookUp(run, begin);
    std::optional<Cursor> found;
    int most = 0;
    for (u32 s = 0; here.warp && s < here.warp->steps.size(); ++s) {
        const StoredAccess* access = explain::accessOf(*here.warp, s);
        if (access && access->space == Space::Shared && here.warp->phaseOf(s) > 0 &&
            access->active.count() > most)
            most = access->active.count(), found = atStep(begin, s);
    }
    return found;
}

// Where no rule finds a place: the first access that most lanes of a recorded warp make, which every stage
// draws; else the first step that most lanes execute. Steps of the first few thousand are enough.
Cursor busiestStep(const run::Run& run) {
    constexpr u32 kMost = 4096;
    Cursor found = explain::clamped(run, {});
    std::pair<bool, int> most{false, 0};
    for (const trace::FocusBlock& block : run.recording.trace.blocks)
        for (u32 w = 0; w < block.warps.size(); ++w) {
            const WarpTrace& warp = block.warps[w];
            for (u32 s = 0; s < std::min(u32(warp.steps.size()), kMost); ++s) {
                const StoredAccess* access = explain::accessOf(warp, s);
                const bool touches = access && !access->active.empty();
                const LaneMask active = touches ? access->active : warp.steps[s].active;
                if (const std::pair now{touches, active.count()}; now > most)
                    most = now, found = Cursor{.launch = block.launch,
                                               .block = block.block,
                                               .warp = Warp{w},
                                               .lane = active.lowest(),
                                               .step = s};
            }
        }
    return found;
}

// The access of the first block to global memory that moves most sectors, or makes most transactions, beyond
// those that its bytes fill; the first of them.
std::optional<Cursor> worstRequest(const run::Run& run) {
    constexpr u32 kMost = 4096;  // accesses looked at
    const auto& blocks = run.recording.trace.blocks;
    std::optional<Cursor> found;
    s64 most = -1;
    u32 seen = 0;
    for (u32 w = 0; !blocks.empty() && w < blocks.front().warps.size(); ++w) {
        const WarpTrace& warp = blocks.front().warps[w];
        for (u32 s = 0; s < warp.steps.size() && seen < kMost; ++s) {
            const StoredAccess* stored = explain::accessOf(warp, s);
            if (!stored || stored->space != Space::Global || stored->active.empty()) continue;
            ++seen;
            const trace::WarpAccess access = warp.unpack(*stored);
            const s64 items = model::globalItems(access, run.profile),
                      needed = model::leastGlobalItems(access, run.profile);
            if (const s64 lost = std::max<s64>(0, items - needed); lost > most)
                most = lost, found = Cursor{.launch = blocks.front().launch,
                                            .block = blocks.front().block,
                                            .warp = Warp{w},
                                            .lane = {},
                                            .step = s};
        }
    }
    return found;
}

// Whether the stage draws a thread that loads nothing, with the cell which it would load and the zero that it
// stores instead.
bool drawsGhosts(const run::Run& run, const Cursor& cursor) {
    if (!run.catalog || !run.catalog->family || run.catalog->family->stage != "matmul") return false;
    const std::optional<explain::MatmulBlock> block = explain::matmulBlock(run, cursor);
    const std::optional<explain::MatmulFacts> facts =
        block ? explain::matmulFacts(run, cursor, *block) : std::nullopt;
    return facts && facts->textbook && facts->tiled();
}

// The first load from global memory that leaves lanes out, in the last block that leaves out others than
// those before it: the corner of the grid, where both coordinates reach past the edge. Else the first load.
struct FirstLoad {
    Cursor cursor;
    bool drawsGhosts = false;
};
std::optional<FirstLoad> firstLoad(const run::Run& run) {
    std::optional<Cursor> first, partial;
    Lane without;
    std::vector<std::pair<u32, u32>> left;  // which instructions of that block leave out which lanes
    for (const trace::FocusBlock& block : run.recording.trace.blocks) {
        std::optional<Cursor> firstOfBlock;
        std::vector<std::pair<u32, u32>> leftHere;
        for (u32 w = 0; w < block.warps.size(); ++w) {
            const WarpTrace& warp = block.warps[w];
            const LaneMask exist = LaneMask::firstLanes(explain::lanesOf(block, Warp{w}));
            for (u32 s = 0; s < warp.steps.size(); ++s) {
                const StoredAccess* access = explain::accessOf(warp, s);
                if (!access || access->space != Space::Global || access->kind != AccessKind::Load) continue;
                Cursor here{
                    .launch = block.launch, .block = block.block, .warp = Warp{w}, .lane = {}, .step = s};
                if (!first) first = here;
                const LaneMask off = exist & ~access->active;
                if (off.empty() || access->active.empty()) continue;
                leftHere.emplace_back(warp.steps[s].pc.value, off.bits);
                if (!firstOfBlock) firstOfBlock = here, firstOfBlock->lane = off.lowest();
            }
        }
        if (!firstOfBlock || (partial && leftHere == left)) continue;
        without = firstOfBlock->lane;
        firstOfBlock->lane = {};
        partial = firstOfBlock;
        left = std::move(leftHere);
    }
    if (!first) return std::nullopt;
    FirstLoad load{.cursor = partial.value_or(*first)};
    load.drawsGhosts = drawsGhosts(run, load.cursor);
    if (partial && load.drawsGhosts)
        load.cursor.lane = without;  // a tile's ghosts are what its stage is about
    else if (partial)
        load.cursor = onActiveLane(run, load.cursor);
    return load;
}

std::optional<Cursor> firstMistake(const run::Run& run) {
    explain::FindingPlaces places(run);
    for (const trace::Finding& finding : run.recording.findings)
        if (const auto place =
                trace::isRemark(finding.kind) || explain::isStop(finding) ? std::nullopt : places.of(finding))
            return place;
    return std::nullopt;
}

}  // namespace

Cursor initialCursor(const run::Run& run) {
    if (const auto chosen = chosenPlace(run)) return *chosen;
    if (const auto mistake = firstMistake(run)) return *mistake;
    const std::optional<FirstLoad> load = firstLoad(run);
    if (load && load->drawsGhosts) return load->cursor;
    const std::string_view stage = stageOf(run);
    // A kernel without a stage of its own, a scan, or a matrix product that is no textbook's, is not about
    // its loads where shared memory costs it more than it must, or passes words on.
    const bool isGeneric = stage == "generic" || stage == "scan", isProduct = stage == "matmul";
    const std::optional<Cursor> exchange =
        isGeneric || stage == "reduction" || stage == "divergence" ? firstExchange(run) : std::nullopt;
    const std::optional<Cursor> conflict = isGeneric || isProduct ? firstConflict(run) : std::nullopt;
    const std::optional<Cursor> atomic = isGeneric ? firstSharedAtomic(run) : std::nullopt;
    std::optional<Cursor> chosen;
    if (conflict && (!exchange || explain::phaseOf(run, *conflict) > 0))
        chosen = conflict;  // before the first barrier there is less to see
    else if (atomic)
        chosen = atomic;
    else if (exchange)
        chosen = exchange;
    else if (isGeneric)
        chosen = firstSharedBehindBarrier(run);
    if (!chosen && (isProduct || stage == "coalescing")) chosen = worstRequest(run);
    return onActiveLane(run, chosen ? *chosen : load ? load->cursor : busiestStep(run));
}

}  // namespace lockstep::viz
