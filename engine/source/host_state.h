// What host code knows at one point: its variables, and the memory that it has allocated.
#pragma once

#include "source/value.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::source {

struct Variable {
    Type type;
    Value value;
    u32 line = 0;
    bool isUnset = false;  // declared, and given no value yet
    bool isAlias = false;  // a reference: `value.place` is what it stands for
};

using Contents = LaunchArgument::Contents;

struct Allocation {
    std::optional<u64> bytes;
    NotKnown cause = {};
    bool isWritten = false;    // by host code
    bool isOfAKernel = false;  // a kernel may have written to it
    Contents contents = Contents::Zero;
    f64 constant = 0;

    void setContents(Contents of, f64 constantOf = 0);
};

// Copied by Host alone, which counts what that costs.
struct State {
    std::vector<std::map<std::string, Variable, std::less<>>> scopes{1};
    std::vector<Allocation> allocations{1};  // number 0 is none
    bool hasEnded = false;                   // by return, exit, break: nothing that follows is reached

    State() = default;
    State(State&&) noexcept = default;
    State& operator=(State&&) noexcept = default;

    std::size_t size() const;

    // Looks in scope 0 and from scope `from` on, innermost first.
    std::optional<Place> find(const std::string& name, std::size_t from) const;
    Variable* variable(const Place& place);
    Value read(const Place& place);
    void write(const Place& place, Value value, u32 where);
    // What was written is not known; constants stay.
    void clobber(const Place& place, u32 where);

    Value allocate(const Value& bytes, const Type& pointer, bool isWritten,
                   Contents contents = Contents::Zero, f64 constant = 0);
    // What a pointer or a std::vector has; null where it has none.
    Allocation* allocationOf(const Value& value);

private:
    friend class Host;
    State(const State&) = default;
    State& operator=(const State&) = delete;
};

// What holds whichever of the two was: what differs is not known.
State joined(State a, State b);
bool isSame(const State& a, const State& b);

}  // namespace lockstep::source
