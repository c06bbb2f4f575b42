// What host code knows at one point: its variables, and the memory that it has allocated.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "source/value.h"

namespace lockstep::source {

struct Variable {
    Type type;
    Value value;
    u32 line = 0;
    bool isUnset = false;   // declared, and given no value yet
    bool isAlias = false;   // a reference: `value.place` is what it stands for
};

struct Allocation {
    std::optional<u64> bytes;
    NotKnown cause = {};
    bool isWritten = false;      // by host code
    bool isOfAKernel = false;    // a kernel may have written to it
    LaunchArgument::Contents contents = LaunchArgument::Contents::Zero;
    f64 constant = 0;
};

struct State {
    std::vector<std::map<std::string, Variable, std::less<>>> scopes{1};
    std::vector<Allocation> allocations{1};  // number 0 is none
    bool hasEnded = false;                   // by return, exit, break: nothing that follows is reached

    std::size_t size() const;
};

// What holds whichever of the two was: what differs is not known.
State joined(const State& a, const State& b);
bool isSame(const State& a, const State& b);

}  // namespace lockstep::source
