#include "source/host_state.h"

#include <algorithm>

namespace lockstep::source {
namespace {

using Contents = LaunchArgument::Contents;

// Two buffers that take each other's place, as in a ping-pong: of the same size, they are as good as one.
std::optional<u32> either(std::vector<Allocation>& allocations, u32 a, u32 b) {
    if (a >= allocations.size() || b >= allocations.size()) return std::nullopt;
    const Allocation x = allocations[a], y = allocations[b];
    if (!x.bytes || x.bytes != y.bytes) return std::nullopt;
    Allocation both = x;
    both.isOfAKernel = x.isOfAKernel || y.isOfAKernel;
    if (x.contents != y.contents || x.constant != y.constant || x.isWritten != y.isWritten) both.contents = Contents::Random, both.isWritten = true;
    const auto isBoth = [&](const Allocation& other) { return other.bytes == both.bytes && other.contents == both.contents && other.isWritten == both.isWritten && other.constant == both.constant; };
    if (isBoth(x)) return a;
    if (isBoth(y)) return b;
    allocations.push_back(both);
    return u32(allocations.size() - 1);
}

Value joinedValue(const Value& a, const Value& b, const std::string& name, u32 line, std::vector<Allocation>& allocations) {
    if (isSame(a, b)) return a;
    if (a.kind == Value::Kind::Pointer && b.kind == Value::Kind::Pointer && a.offsetBytes == b.offsetBytes)
        if (const std::optional<u32> one = either(allocations, a.allocation, b.allocation)) {
            Value value = a;
            value.allocation = *one;
            return value;
        }
    if ((a.kind == Value::Kind::Extents || a.kind == Value::Kind::Object) && a.kind == b.kind && a.names == b.names) {
        Value value = a;
        for (std::size_t i = 0; i < a.parts.size(); ++i) value.parts[i] = joinedValue(a.parts[i], b.parts[i], name, line, allocations);
        return value;
    }
    Value value = notKnown(name, line);
    if (!a.isKnown() && !a.cause.variable.empty()) value.cause = a.cause;
    if (!b.isKnown() && !b.cause.variable.empty()) value.cause = b.cause;
    value.type = a.type;
    return value;
}

}  // namespace

std::size_t State::size() const {
    std::size_t count = allocations.size();
    for (const auto& scope : scopes) count += scope.size();
    return count;
}

State joined(const State& a, const State& b) {
    if (a.hasEnded) return b;
    if (b.hasEnded) return a;
    State result = a;
    for (std::size_t i = 1; i < b.allocations.size(); ++i) {
        if (i >= result.allocations.size()) {
            result.allocations.push_back(b.allocations[i]);
            continue;
        }
        Allocation& now = result.allocations[i];
        const Allocation& other = b.allocations[i];
        if (now.bytes != other.bytes) now.bytes.reset();
        if (now.contents != other.contents || now.constant != other.constant || now.isWritten != other.isWritten) now.contents = Contents::Random, now.isWritten = now.isWritten || other.isWritten;
        now.isOfAKernel = now.isOfAKernel || other.isOfAKernel;
    }
    for (std::size_t i = 0; i < result.scopes.size() && i < b.scopes.size(); ++i)
        for (auto& [name, variable] : result.scopes[i]) {
            const auto other = b.scopes[i].find(name);
            if (other == b.scopes[i].end() || variable.isAlias) continue;
            if (variable.isUnset || other->second.isUnset) {  // reading it there would be a mistake anyhow
                if (variable.isUnset) variable = other->second;
                continue;
            }
            variable.value = joinedValue(variable.value, other->second.value, name, variable.line, result.allocations);
        }
    return result;
}

bool isSame(const State& a, const State& b) {
    for (std::size_t i = 0; i < a.scopes.size() && i < b.scopes.size(); ++i)
        for (const auto& [name, variable] : a.scopes[i]) {
            const auto other = b.scopes[i].find(name);
            if (other != b.scopes[i].end() && (variable.isUnset != other->second.isUnset || !isSame(variable.value, other->second.value))) return false;
        }
    return true;
}

}  // namespace lockstep::source
