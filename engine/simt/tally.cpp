#include "simt/tally.h"

namespace lockstep::simt {
namespace {

// to[i] += times * from[i], modulo 2^64.
void addTo(std::vector<u64>& to, const std::vector<u64>& from, u64 times) {
    for (std::size_t i = 0; i < to.size(); ++i)
        to[i] += times * from[i];
}

}  // namespace

void Tally::add(const Tally& other, u64 times) {
    for (std::size_t i = 0; i < segments.size(); ++i) {
        segments[i].executions += times * other.segments[i].executions;
        segments[i].lanes += times * other.segments[i].lanes;
    }
    addTo(guardedLanes, other.guardedLanes, times);
    addTo(divergent, other.divergent, times);
    followed += times * other.followed;
}

void Tally::subtract(const Tally& other) { add(other, ~u64{0}); }

void Tally::fill(const Program& program, trace::GridCounts& counts) const {
    const auto& instructions = program.module->instructions;
    counts.perPc.assign(instructions.size(), {});
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const Segment& segment = program.segments[i];
        for (u32 pc = segment.firstPc; pc < segment.firstPc + segment.instructions; ++pc) {
            counts.perPc[pc].executions += segments[i].executions;
            if (!instructions[pc].guard.present) counts.perPc[pc].activeLanes += segments[i].lanes;
        }
    }
    for (std::size_t pc = 0; pc < instructions.size(); ++pc) {
        counts.perPc[pc].activeLanes += guardedLanes[pc];
        counts.perPc[pc].divergent = divergent[pc];
        counts.warpInstructions += counts.perPc[pc].executions;
        counts.threadInstructions += counts.perPc[pc].activeLanes;
    }
}

}  // namespace lockstep::simt
