// A host thread's counts while it runs blocks: per straight run of instructions, not per instruction.
#pragma once

#include "simt/decode/program.h"
#include "trace/grid_counts.h"

#include <vector>

namespace lockstep::simt {

struct Tally {
    struct Run {
        u64 executions = 0, lanes = 0;
    };
    std::vector<Run> segments;      // by Program::segments
    std::vector<u64> guardedLanes;  // by pc: of guarded instructions, lanes whose guard was true
    std::vector<u64> divergent;     // by pc
    u64 followed = 0;               // blocks that followed a script

    explicit Tally(const Program& program)
        : segments(program.segments.size()),
          guardedLanes(program.module->instructions.size()),
          divergent(program.module->instructions.size()) {}

    void add(const Tally& other, u64 times = 1);
    void subtract(const Tally& other);
    // Executions and lanes of every instruction, and their sums. The pattern counter counts sites.
    void fill(const Program& program, trace::GridCounts& counts) const;
};

}  // namespace lockstep::simt
