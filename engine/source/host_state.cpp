#include "source/host_state.h"

#include <algorithm>

namespace lockstep::source {
namespace {

constexpr std::size_t kMostAllocations = 4096;

// Two buffers that take each other's place, as in a ping-pong: of the same size, they are as good as one.
std::optional<u32> either(std::vector<Allocation>& allocations, u32 a, u32 b) {
    if (a >= allocations.size() || b >= allocations.size() || allocations.size() > kMostAllocations)
        return std::nullopt;
    const Allocation x = allocations[a], y = allocations[b];
    if (!x.bytes || x.bytes != y.bytes) return std::nullopt;
    Allocation both = x;
    both.isOfAKernel = x.isOfAKernel || y.isOfAKernel;
    if (x.contents != y.contents || x.constant != y.constant || x.isWritten != y.isWritten)
        both.contents = Contents::Random, both.isWritten = true;
    const auto isBoth = [&](const Allocation& other) {
        return other.bytes == both.bytes && other.contents == both.contents &&
               other.isWritten == both.isWritten && other.constant == both.constant;
    };
    if (isBoth(x)) return a;
    if (isBoth(y)) return b;
    allocations.push_back(both);
    return u32(allocations.size() - 1);
}

Value joinedValue(const Value& a, const Value& b, const std::string& name, u32 line,
                  std::vector<Allocation>& allocations) {
    if (isSame(a, b)) return a;
    if (a.kind == Value::Kind::Pointer && b.kind == Value::Kind::Pointer && a.offsetBytes == b.offsetBytes)
        if (const std::optional<u32> one = either(allocations, a.allocation, b.allocation)) {
            Value value = a;
            value.allocation = *one;
            return value;
        }
    if ((a.kind == Value::Kind::Extents || a.kind == Value::Kind::Object) && a.kind == b.kind &&
        a.names == b.names) {
        Value value = a;
        for (std::size_t i = 0; i < a.parts.size(); ++i)
            value.parts[i] = joinedValue(a.parts[i], b.parts[i], name, line, allocations);
        return value;
    }
    Value value = notKnown(name, line);
    if (!a.isKnown() && !a.cause.variable.empty()) value.cause = a.cause;
    if (!b.isKnown() && !b.cause.variable.empty()) value.cause = b.cause;
    value.type = a.type;
    return value;
}

}  // namespace

void Allocation::setContents(Contents of, f64 constantOf) {
    isWritten = true;
    contents = of == Contents::Constant && constantOf == 0 ? Contents::Zero : of;
    constant = contents == Contents::Constant ? constantOf : 0;
}

std::size_t State::size() const {
    std::size_t count = allocations.size();
    for (const auto& scope : scopes)
        count += 1 + scope.size();
    return count;
}

std::optional<Place> State::find(const std::string& name, std::size_t from) const {
    for (std::size_t i = scopes.size(); i-- > 0;) {
        if (i < from && i > 0) continue;
        const auto found = scopes[i].find(name);
        if (found == scopes[i].end()) continue;
        if (found->second.isAlias) return found->second.value.place;
        return Place{u32(i), name, {}};
    }
    return std::nullopt;
}

Variable* State::variable(const Place& place) {
    if (place.scope >= scopes.size()) return nullptr;
    const auto found = scopes[place.scope].find(place.name);
    return found == scopes[place.scope].end() ? nullptr : &found->second;
}

Value State::read(const Place& place) {
    Variable* root = variable(place);
    if (!root) return notKnown(place.name, 0);
    if (root->isUnset && place.path.empty()) return notKnown(place.name, root->line);
    Value* value = &root->value;
    for (const std::string& part : place.path) {
        Value* inner = value->part(part);
        if (!inner)
            return notKnown(
                value->isKnown() || value->cause.variable.empty() ? place.name : value->cause.variable,
                value->cause.line ? value->cause.line : root->line);
        value = inner;
    }
    Value result = *value;
    if (!result.isKnown() && result.cause.variable.empty()) result.cause = {place.name, root->line};
    if (result.type.name.empty() && place.path.empty()) result.type = root->type;
    return result;
}

void State::write(const Place& place, Value value, u32 where) {
    Variable* root = variable(place);
    if (!root) return;
    if (!value.isKnown() && value.cause.variable.empty()) value.cause = {place.name, where};
    if (place.path.empty()) {
        root->value = converted(std::move(value), root->type);
        root->isUnset = false;
        return;
    }
    Value* at = &root->value;
    for (const std::string& part : place.path) {
        if (at->kind != Value::Kind::Object && at->kind != Value::Kind::Extents) {
            const NotKnown cause = at->cause;
            *at = Value{};
            at->kind = Value::Kind::Object;
            at->cause = cause;
        }
        if (!at->part(part)) {
            if (at->names.size() > 256) return;
            at->names.push_back(part);
            at->parts.push_back(notKnown(place.name, where));
        }
        at = at->part(part);
    }
    root->isUnset = false;
    *at = converted(std::move(value), at->type.name.empty() ? Type{} : at->type);
}

void State::clobber(const Place& place, u32 where) {
    Variable* root = variable(place);
    if (root && !root->type.isConstant) write(place, notKnown(place.name, where), where);
}

Value State::allocate(const Value& bytes, const Type& pointer, bool isWritten, Contents contents,
                      f64 constant) {
    if (allocations.size() > kMostAllocations) return notKnown({}, 0);
    Allocation allocation{.bytes = {},
                          .cause = bytes.cause,
                          .isWritten = isWritten,
                          .contents = contents,
                          .constant = constant};
    if (bytes.isNumber() && bytes.asReal() >= 0)
        allocation.bytes = u64(bytes.kind == Value::Kind::Integer ? bytes.integer : s64(bytes.real));
    allocations.push_back(allocation);
    Value value;
    value.kind = Value::Kind::Pointer;
    value.type = pointer;
    value.allocation = u32(allocations.size() - 1);
    return value;
}

Allocation* State::allocationOf(const Value& value) {
    const Value* pointer = &value;
    if (value.kind == Value::Kind::Object && !value.parts.empty() && value.names.front() == "#data")
        pointer = &value.parts.front();
    return pointer->kind == Value::Kind::Pointer && pointer->allocation < allocations.size()
               ? &allocations[pointer->allocation]
               : nullptr;
}

State joined(State a, State b) {
    if (a.hasEnded) return b;
    if (b.hasEnded) return a;
    State& result = a;
    for (std::size_t i = 1; i < b.allocations.size(); ++i) {
        if (i >= result.allocations.size()) {
            result.allocations.push_back(b.allocations[i]);
            continue;
        }
        Allocation& now = result.allocations[i];
        const Allocation& other = b.allocations[i];
        if (now.bytes != other.bytes) now.bytes.reset();
        if (now.contents != other.contents || now.constant != other.constant ||
            now.isWritten != other.isWritten)
            now.contents = Contents::Random, now.isWritten = now.isWritten || other.isWritten;
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
            variable.value =
                joinedValue(variable.value, other->second.value, name, variable.line, result.allocations);
        }
    return a;
}

bool isSame(const State& a, const State& b) {
    for (std::size_t i = 0; i < a.scopes.size() && i < b.scopes.size(); ++i)
        for (const auto& [name, variable] : a.scopes[i]) {
            const auto other = b.scopes[i].find(name);
            if (other != b.scopes[i].end() &&
                (variable.isUnset != other->second.isUnset || !isSame(variable.value, other->second.value)))
                return false;
        }
    return true;
}

}  // namespace lockstep::source
