#include "run/sample/sampled_run.h"

#include "run/data_dependence.h"
#include "run/sample/block_likeness.h"
#include "run/sample/sample_choice.h"

#include <algorithm>

namespace lockstep::run {
namespace {

using trace::SampleBox;
using trace::Unproved;

bool hasTellingBlocks(const SampleBox& box, Dim3 grid) {
    return std::ranges::includes(box.blocks, tellingBlocks(box, grid));
}

bool hasFaults(const simt::Result& result) {
    return std::ranges::any_of(result.findings,
                               [](const trace::Finding& finding) { return !trace::isRemark(finding.kind); });
}

// The first reason that counts, and its place.
class Proof {
public:
    Proof(const Experiment& experiment, const SamplePlan& plan, const simt::Result& result)
        : experiment_(experiment), plan_(plan), result_(result) {}

    Likeness ofAll() const {
        if (!result_.statistics.complete) return {Unproved::Stopped};
        if (hasFaults(result_)) return {Unproved::Findings};
        for (const auto check : {&Proof::statically, &Proof::byRecord})
            for (std::size_t launch = 0; launch < plan_.boxes.size(); ++launch)
                for (std::size_t box = 0; box < plan_.boxes[launch].size(); ++box)
                    if (Likeness likeness = (this->*check)(launch, box);
                        likeness.unproved != Unproved::Nothing)
                        return likeness;
        return {};
    }

private:
    bool isWhole(std::size_t launch, std::size_t box) const {
        return result_.sample[launch][box].ran == plan_.boxes[launch][box].count();
    }

    // Blocks of a later launch may load what blocks of an earlier one that were not run would have stored.
    bool followsSampled(std::size_t launch) const {
        for (std::size_t earlier = 0; earlier < launch; ++earlier)
            for (std::size_t box = 0; box < plan_.boxes[earlier].size(); ++box)
                if (!isWhole(earlier, box)) return true;
        return false;
    }

    Likeness statically(std::size_t launch, std::size_t box) const {
        const Likeness& likeness = plan_.likeness[launch][box];
        if (!isWhole(launch, box)) return likeness;
        return followsSampled(launch) && likeness.unproved != Unproved::NotLinear ? likeness : Likeness{};
    }

    Likeness byRecord(std::size_t launch, std::size_t box) const {
        const SampleBox& positions = plan_.boxes[launch][box];
        const simt::SampledBox& ran = result_.sample[launch][box];
        if (isWhole(launch, box)) return {};
        if (!hasTellingBlocks(positions, experiment_.launches[launch].grid)) return {Unproved::TooFewBlocks};
        if (ran.tooLong) return {Unproved::TooLong};
        return {ran.alike ? Unproved::Nothing : Unproved::BlocksDiffer};
    }

    const Experiment& experiment_;
    const SamplePlan& plan_;
    const simt::Result& result_;
};

}  // namespace

Expected<SamplePlan> planWithoutProof(const Experiment& experiment, const Options& options,
                                      std::span<const Dim3> focus) {
    SamplePlan plan;
    const bool isWhole = std::ranges::all_of(experiment.launches, [&](const Launch& launch) {
        return launch.grid.count() <= options.sampleBlocks;
    });
    if (!options.sampleBlocks || isWhole) return plan;
    if (options.backend == "gpu")
        return fail(FaultKind::Usage,
                    english("--sample is for the emulator, and a GPU runs all blocks; leave out --sample or "
                            "--backend gpu"));
    if (options.caches == Caches::On)
        return fail(
            FaultKind::Usage,
            english("--caches on takes all blocks, which share them; leave out --caches on or --sample"));
    if (experiment.launches.size() > 1 &&
        !dataDependenceOf(*experiment.module, experiment.launches, experiment.buffers.size()).buffers.empty())
        return fail(
            FaultKind::Usage,
            english("the launches of this kernel use what blocks of others store for branches or "
                    "addresses, so that some blocks alone would do something else: --sample is not for "
                    "it; choose a smaller size"));
    for (const Launch& launch : experiment.launches) {
        std::vector<Dim3> wanted(focus.begin(), focus.end());
        if (wanted.empty()) wanted = simt::defaultFocus(launch.grid);
        if (options.emulator.focus && focus.empty())
            wanted.insert(wanted.end(), options.emulator.focus->begin(), options.emulator.focus->end());
        plan.boxes.push_back(chooseSample(launch.grid, options.sampleBlocks, experiment.seed, wanted));
    }
    return plan;
}

Expected<SamplePlan> planSample(const Experiment& experiment, const Options& options) {
    Expected<SamplePlan> plan = planWithoutProof(experiment, options, {});
    if (!plan) return plan;
    for (std::size_t launch = 0; launch < plan->boxes.size(); ++launch) {
        std::vector<Likeness>& likeness = plan->likeness.emplace_back();
        for (SampleBox& box : plan->boxes[launch]) {
            likeness.push_back(
                likenessOf(*experiment.module, experiment.launches[launch], box, experiment.buffers));
            box.shifts = likeness.back().shifts;
        }
    }
    return plan;
}

trace::Sample sampleOf(const Experiment& experiment, const SamplePlan& plan, const simt::Result& result) {
    trace::Sample kept;
    for (std::size_t launch = 0; launch < plan.boxes.size(); ++launch) {
        kept.of += experiment.launches[launch].grid.count();
        kept.neededBlocks = std::max(kept.neededBlocks, neededBlocks(experiment.launches[launch].grid));
        if (launch < result.sample.size())
            for (const simt::SampledBox& box : result.sample[launch])
                kept.blocks += box.ran;
    }
    if (plan.likeness.empty()) {
        kept.unproved = Unproved::UnderWay;
        return kept;
    }
    const Likeness likeness = Proof(experiment, plan, result).ofAll();
    kept.unproved = likeness.unproved;
    kept.at = likeness.at;
    if (kept.unproved != Unproved::Nothing) return kept;
    for (std::size_t launch = 0; launch < plan.boxes.size(); ++launch) {
        trace::GridCounts& grid = kept.grid.emplace_back();
        for (std::size_t box = 0; box < plan.boxes[launch].size(); ++box) {
            const SampleBox& positions = plan.boxes[launch][box];
            const simt::SampledBox& ran = result.sample[launch][box];
            if (ran.ran == positions.count()) {
                trace::addCounts(grid, ran.counts);
            } else if (!trace::addBox(grid, positions, ran.ofFirst)) {
                kept.grid.clear();
                kept.unproved = Unproved::TooLong;
                return kept;
            }
        }
    }
    return kept;
}

}  // namespace lockstep::run
