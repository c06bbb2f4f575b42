#include "run/orders/order_plan.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace lockstep::run {
namespace {

using trace::FindingKind;

// Above this many warp instructions a launch whose blocks are independent is tried on some of them only: a
// thousand orders then take seconds.
constexpr u64 kMostWarpInstructions = 10'000;
// Since when lanes of a warp may part: CUDA C++ Programming Guide, "Independent Thread Scheduling".
constexpr u32 kLanesPartSince = 7;

bool isAboutOrder(const trace::Finding& finding) {
    return finding.kind == FindingKind::Race || finding.kind == FindingKind::WarpSynchronous ||
           finding.kind == FindingKind::UninitializedRead;
}

u32 threadNumber(const trace::Finding& finding, const trace::Culprit& culprit, const Run& run) {
    return u32(linearOf(culprit.thread, run.recording.launches[finding.launch.value].block));
}

class Planner {
public:
    Planner(const Run& run, bool cooperative) : run_(run) {
        planned_.plan.launches.resize(run.recording.launches.size());
        planned_.plan.cooperative = cooperative;
        planned_.plan.lanesPart = planned_.choices.lanesPart = run.profile.major >= kLanesPartSince;
    }

    PlannedOrders planned() {
        for (const trace::Finding& finding : run_.recording.findings)
            if (isAboutOrder(finding) && finding.launch.value < planned_.plan.launches.size()) add(finding);
        planned_.hasRace = std::ranges::any_of(planned_.plan.launches, &simt::OrderPlan::Part::isOrdered);
        if (!planned_.hasRace)
            for (simt::OrderPlan::Part& part : planned_.plan.launches)
                part.isOrdered = true;
        for (u32 launch = 0; launch < planned_.plan.launches.size(); ++launch) {
            std::vector<Pc>& racing = planned_.plan.launches[launch].racing;
            for (Pc pc : byCount(counts_[launch])) {
                racing.push_back(pc);
                planned_.choices.racing.push_back(pc);
            }
        }
        chooseBlocks();
        return std::move(planned_);
    }

private:
    void add(const trace::Finding& finding) {
        planned_.plan.launches[finding.launch.value].isOrdered = true;
        count(finding, finding.who);
        if (finding.other) count(finding, *finding.other);
        const bool isOfTwo = finding.other && finding.other->pc != kNoPc;
        const bool isInBlock = !isOfTwo || finding.who.block == finding.other->block;
        isBetweenBlocks_ |= !isInBlock;
        blocks_[finding.launch.value].insert(
            linearOf(finding.who.block, run_.recording.launches[finding.launch.value].grid));
        const bool isInWarp = finding.kind == FindingKind::WarpSynchronous ||
                              (isOfTwo && isInBlock &&
                               threadNumber(finding, finding.who, run_) / kWarpSize ==
                                   threadNumber(finding, *finding.other, run_) / kWarpSize);
        (isInWarp ? planned_.choices.withinWarps : planned_.choices.betweenWarps) = true;
        if (!isInWarp) return;
        addLane(threadNumber(finding, finding.who, run_) % kWarpSize);
        if (isOfTwo) addLane(threadNumber(finding, *finding.other, run_) % kWarpSize);
    }

    void count(const trace::Finding& finding, const trace::Culprit& culprit) {
        if (culprit.pc != kNoPc) counts_[finding.launch.value][culprit.pc] += finding.count;
    }

    void addLane(u32 lane) {
        std::vector<u32>& lanes = planned_.choices.lanes;
        if (std::ranges::find(lanes, lane) == lanes.end()) lanes.push_back(lane);
    }

    static std::vector<Pc> byCount(const std::map<Pc, u64>& counts) {
        std::vector<Pc> pcs;
        for (const auto& [pc, count] : counts)
            pcs.push_back(pc);
        std::ranges::stable_sort(pcs, std::greater(), [&](Pc pc) { return counts.at(pc); });
        return pcs;
    }

    u64 warpInstructionsOf(u32 launch) const {
        return launch < run_.recording.counts.size() ? run_.recording.counts[launch].warpInstructions : 0;
    }

    // All blocks of all launches that race, unless that is too much, and what a block does is no other's
    // business: then some of the first launch.
    void chooseBlocks() {
        std::vector<simt::OrderPlan::Part>& launches = planned_.plan.launches;
        u64 all = 0;
        for (u32 launch = 0; launch < launches.size(); ++launch)
            if (launches[launch].isOrdered) all += warpInstructionsOf(launch);
        if (all <= kMostWarpInstructions || isBetweenBlocks_ || run_.recording.sequential) return;
        const u32 first =
            u32(std::ranges::find(launches, true, &simt::OrderPlan::Part::isOrdered) - launches.begin());
        for (u32 launch = first + 1; launch < launches.size(); ++launch)
            launches[launch].isOrdered = false;
        const u64 blocks = std::max<u64>(run_.recording.launches[first].grid.count(), 1),
                  each = std::max<u64>(warpInstructionsOf(first) / blocks, 1);
        std::set<u64> racing = blocks_[first];
        if (racing.empty()) racing.insert(0);
        for (u64 block : racing) {
            if (!launches[first].blocks.empty() &&
                (launches[first].blocks.size() + 1) * each > kMostWarpInstructions)
                break;
            launches[first].blocks.push_back(block);
        }
        if (launches[first].blocks.size() == blocks) launches[first].blocks.clear();  // all of them
    }

    const Run& run_;
    PlannedOrders planned_;
    std::map<u32, std::map<Pc, u64>> counts_;  // by launch: findings of each instruction
    std::map<u32, std::set<u64>> blocks_;      // by launch: that race
    bool isBetweenBlocks_ = false;
};

}  // namespace

PlannedOrders planOrders(const Run& run, bool cooperative) { return Planner(run, cooperative).planned(); }

}  // namespace lockstep::run
