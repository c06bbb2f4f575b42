#include "app/cli/flow_json.h"

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

Json blockJson(const run::Run& run, const trace::FocusBlock& block) {
    const auto flow = explain::BlockFlow::of(*run.module, run.recording.launches[block.launch.value],
                                             run.recording.initial.size(), block);
    Json sites;
    if (flow) {
        sites = Json::array();
        for (const explain::SiteFlow& site : explain::siteFlows(*run.module, block, *flow))
            sites.push_back(siteJson(run, site));
    }
    return {{"launch", block.launch.value},
            {"block", {block.block.x, block.block.y, block.block.z}},
            {"why", flow ? Json(nullptr) : Json(describe(flow.error()))},
            {"sites", std::move(sites)}};
}

}  // namespace

Json flowJson(const run::Run& run) {
    Json blocks = Json::array();
    for (const trace::FocusBlock& block : run.recording.trace.blocks)
        blocks.push_back(blockJson(run, block));
    return blocks;
}

}  // namespace lockstep::cli
