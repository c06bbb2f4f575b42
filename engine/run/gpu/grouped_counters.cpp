#include "run/gpu/grouped_counters.h"

#include "model/access/access_cost.h"
#include "trace/pattern_counter.h"

namespace lockstep::run {
namespace {

trace::GridCounts countsOf(const Run& run, LaunchId launch, const trace::Trace& whole) {
    trace::GridCounts counts;
    counts.perPc.resize(run.module->instructions.size());
    const model::AccessCosting costing(*run.module, run.profile);
    trace::PatternTable table(u32(counts.perPc.size()),
                              [&](const trace::WarpAccess& access) { return costing.cost(access); });
    trace::PatternCounter counter(table);
    for (const trace::FocusBlock& block : whole.blocks) {
        if (block.launch != launch) continue;
        counter.beginBlock(Block{u32(linearOf(block.block, run.recording.launches[launch.value].grid))});
        for (const trace::WarpTrace& warp : block.warps) {
            for (const trace::Step& step : warp.steps) {
                trace::PcCounts& at = counts.perPc[step.pc.value];
                ++at.executions;
                at.activeLanes += step.active.count();
            }
            for (const trace::StoredAccess& access : warp.accesses)
                counter.count(warp.unpack(access));
        }
    }
    trace::PatternCounter* const counters[] = {&counter};
    counts.sites = trace::mergePatterns(table, counters);
    return counts;
}

}  // namespace

std::map<std::string, u64> groupedCounters(const Run& run, const trace::Trace& whole) {
    trace::Recording recording;
    recording.profile = run.recording.profile;
    recording.launches = run.recording.launches;
    for (u32 launch = 0; launch < recording.launches.size(); ++launch)
        recording.counts.push_back(countsOf(run, LaunchId{launch}, whole));
    std::map<std::string, u64> counters = model::makeReport(*run.module, recording, run.profile).counters;
    std::erase_if(counters, [](const auto& counter) {
        return !counter.first.starts_with("l1tex__") || counter.first.ends_with("_hit");
    });
    return counters;
}

}  // namespace lockstep::run
