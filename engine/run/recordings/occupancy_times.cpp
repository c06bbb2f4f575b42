#include "run/recordings/occupancy_times.h"

#include "catalog/values/expression.h"

#include <algorithm>
#include <set>
#include <utility>

namespace lockstep::run {
namespace {

// Of the variant's first launch; none: these values are no longer possible.
std::optional<u64> threadsPerBlock(const catalog::Family& family, const catalog::Variant& variant,
                                   std::span<const Setting> settings) {
    const Expected<catalog::Values> values = catalog::resolve(family, variant, settings);
    if (!values || variant.launches.empty()) return std::nullopt;
    const catalog::Values scope = family.scope(*values);
    u64 threads = 1;
    for (const std::string& extent : variant.launches.front().block) {
        const Expected<s64> value = catalog::evaluate(extent, scope);
        if (!value || *value < 1) return std::nullopt;
        threads *= u64(*value);
    }
    return threads;
}

std::size_t blockSizes(const OccupancyTimes& times) {
    std::set<u64> sizes;
    for (const OccupancyTime& row : times.rows)
        sizes.insert(row.threads);
    return sizes.size();
}

// One group for each choice of the other parameters, in the recording's order.
std::vector<OccupancyTimes> groupsOver(const std::string& parameter, const catalog::Experiment& experiment,
                                       const RecordedMachine& machine) {
    const std::string kernel = experiment.family->name + "/" + experiment.variant->name;
    const std::vector<Setting> own = settingsOf(experiment);
    std::vector<OccupancyTimes> groups;
    for (const RecordedRun& run : machine.recording.runs) {
        const Measured& measured = run.measured;
        if (run.kernel != kernel || !measured.timing || measured.registers.empty() || !measured.blocksPerSm)
            continue;
        std::vector<Setting> fixed = run.parameters;
        const auto across = std::ranges::find(fixed, parameter, &Setting::first);
        if (across == fixed.end()) continue;
        OccupancyTime row{.value = across->second,
                          .registers = measured.registers.front(),
                          .blocksPerSm = measured.blocksPerSm,
                          .milliseconds = measured.timing->kernel.median,
                          .isTheRuns = run.parameters == own};
        fixed.erase(across);
        const std::optional<u64> threads =
            threadsPerBlock(*experiment.family, *experiment.variant, run.parameters);
        if (!threads) continue;
        row.threads = *threads;
        auto group = std::ranges::find(groups, fixed, &OccupancyTimes::fixed);
        if (group == groups.end())
            group = groups.insert(
                groups.end(),
                {.machine = &machine, .parameter = parameter, .fixed = std::move(fixed), .rows = {}});
        group->rows.push_back(std::move(row));
    }
    return groups;
}

}  // namespace

std::optional<OccupancyTimes> occupancyTimes(const catalog::Experiment& experiment,
                                             std::span<const RecordedMachine> machines) {
    if (!experiment.family || !experiment.variant) return std::nullopt;
    for (const RecordedMachine& machine : machines)
        for (const std::string& parameter : experiment.variant->parameters) {
            std::vector<Setting> own = settingsOf(experiment);
            std::erase_if(own, [&](const Setting& setting) { return setting.first == parameter; });
            std::optional<OccupancyTimes> best;
            for (OccupancyTimes& group : groupsOver(parameter, experiment, machine)) {
                const std::size_t sizes = blockSizes(group);
                if (sizes < 2) continue;
                const bool isOwn = group.fixed == own;
                if (!best || isOwn || (best->fixed != own && sizes >= blockSizes(*best)))
                    best = std::move(group);
            }
            if (!best) continue;
            std::ranges::stable_sort(best->rows, {}, &OccupancyTime::threads);
            return best;
        }
    return std::nullopt;
}

}  // namespace lockstep::run
