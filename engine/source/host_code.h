// Goes through host code as far as constants tell what it does: launches, allocations, what is copied where.
#pragma once

#include "source/launch.h"
#include "source/token.h"

#include <string>
#include <vector>

namespace lockstep::source {

struct HostLaunch {
    Launch launch;
    u32 file = 0;
};
struct SymbolCopy {  // a __constant__ or __device__ variable that host code fills
    std::string symbol;
    u32 file = 0, line = 0;
};
struct HostFindings {
    std::vector<HostLaunch> launches;
    std::vector<SymbolCopy> symbols;
};

// The whole program, macros replaced. Begins at main(); functions with launches that it does not reach
// follow, with parameters that are not known.
HostFindings readHostCode(const std::vector<Token>& tokens);

}  // namespace lockstep::source
