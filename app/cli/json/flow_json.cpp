#include "app/cli/json/flow_json.h"

#include "app/cli/json/blocks_json.h"
#include "explain/access_flow.h"
#include "explain/site_flow.h"
#include "model/source_line.h"

namespace lockstep::cli {
namespace {

Json pcJson(Pc pc) { return pc == kNoPc ? Json(nullptr) : Json(pc.value); }

Json siteJson(const run::Run& run, const explain::SiteFlow& site) {
    Json from = Json::array();
    for (const explain::SiteFlow::Stored& one : site.stored)
        from.push_back({{"kind", explain::nameOf(one.kind)}, {"pc", pcJson(one.pc)}, {"values", one.values}});
    for (const explain::SiteFlow::Loaded& one : site.loaded)
        from.push_back({{"kind", explain::nameOf(one.kind)},
                        {"pc", pcJson(one.pc)},
                        {"values", one.values},
                        {"of_other_threads", one.ofOtherThreads}});
    const model::SourceLine at = model::sourceLineOf(site.pc, *run.module);
    return {{"pc", site.pc.value},
            {"file", run.module->files[at.file]},
            {"line", at.line},
            {"space", trace::nameOf(site.space)},
            {"op", trace::nameOf(site.kind)},
            {"from", std::move(from)}};
}

constexpr std::size_t kMostAccesses = 2048;  // of all blocks

Json accessJson(const explain::AccessFlow& access) {
    Json from = Json::array();
    for (const explain::AccessFlow::From& one : access.from) {
        Json source{{"kind", one.kind}, {"lanes", one.lanes.bits}, {"element", one.element}};
        if (one.pc != kNoPc) {
            source.add({{"pc", one.pc.value}, {"warp", one.warp.value}, {"step", one.step + 1}});
            Json lanes = Json::array();
            for (const Lane lane : one.ofLanes)
                lanes.push_back(lane.value);
            source["of_lanes"] = one.ofLanes.empty() ? Json(nullptr) : std::move(lanes);
        }
        from.push_back(std::move(source));
    }
    return {{"warp", access.warp.value},
            {"step", access.step + 1},
            {"pc", access.pc.value},
            {"space", trace::nameOf(access.space)},
            {"op", trace::nameOf(access.kind)},
            {"from", std::move(from)}};
}

void addFlow(const run::Run& run, const trace::FocusBlock& block, std::size_t& room, Json& json) {
    const auto flow = explain::BlockFlow::of(*run.module, run.recording.launches[block.launch.value],
                                             run.recording.initial.size(), block);
    Json sites, accesses;
    u64 leftOut = 0;
    if (flow) {
        sites = Json::array(), accesses = Json::array();
        for (const explain::SiteFlow& site : explain::siteFlows(*run.module, block, *flow))
            sites.push_back(siteJson(run, site));
        const explain::AccessFlows flows = explain::accessFlows(*run.module, block, *flow, room);
        for (const explain::AccessFlow& access : flows.accesses)
            accesses.push_back(accessJson(access));
        leftOut = flows.leftOut;
        room -= flows.accesses.size();
    }
    json["why"] = flow ? Json(nullptr) : Json(describe(flow.error()));
    json["sites"] = std::move(sites);
    json["accesses"] = std::move(accesses);
    json["accesses_left_out"] = leftOut;
}

}  // namespace

Json flowJson(const run::Run& run) {
    std::size_t room = kMostAccesses;
    return blocksJson(run,
                      [&](const trace::FocusBlock& block, Json& json) { addFlow(run, block, room, json); });
}

}  // namespace lockstep::cli
