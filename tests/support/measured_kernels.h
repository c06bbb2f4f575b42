// For tests: the kernels that were profiled on an H200 (tests/truth), as requests to the program, with the
// counters that were read.
#pragma once

#include "run/run.h"

#include <map>
#include <string>
#include <vector>

namespace lockstep {

// A counter that was read several times.
struct Measured {
    f64 value = 0, least = 0, most = 0;
};

struct MeasuredKernel {
    std::string name;
    run::FileRequest request;
    std::map<std::string, Measured> counters;
};

// All of ncu_h200.csv and own/counters.csv. Files are named from the folder tests/truth/own: be there to open
// them.
std::vector<MeasuredKernel> measuredKernels();

}  // namespace lockstep
