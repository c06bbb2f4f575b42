#include "operations/stretches.h"

namespace lockstep::operations {
namespace {

constexpr u64 kLongest = 24;  // operations of one round
constexpr u64 kFewestRounds = 3;

bool isSameEvent(const std::optional<u32>& a, const std::optional<u32>& b, const Operations& all) {
    if (!a || !b || *a == *b) return a == b;
    return all.events[*a].name == all.events[*b].name && all.events[*a].made == all.events[*b].made;
}

bool isSameSide(const std::optional<Side>& a, const std::optional<Side>& b, const Operations& all) {
    if (!a || !b) return !a && !b;
    if (!a->buffer || !b->buffer || *a->buffer == *b->buffer) return a->buffer == b->buffer;
    const Buffer &x = all.buffers[*a->buffer], &y = all.buffers[*b->buffer];
    return x.name == y.name && x.allocated == y.allocated && x.memory == y.memory;
}

bool isAlike(const Operation& a, const Operation& b, const Operations& all) {
    return a.kind == b.kind && a.place == b.place && a.stream == b.stream && a.bytes == b.bytes &&
           a.findings == b.findings && a.grid == b.grid && a.block == b.block && a.function == b.function &&
           a.error == b.error && isSameEvent(a.event, b.event, all) && isSameSide(a.from, b.from, all) &&
           isSameSide(a.to, b.to, all);
}

// Rounds of so many operations that begin here; 1: the next are other ones.
u64 roundsOf(std::span<const Operation> list, u64 length, const Operations& all) {
    u64 alike = length;
    while (alike < list.size() && isAlike(list[alike], list[alike - length], all))
        ++alike;
    return alike / length;
}

}  // namespace

std::vector<Stretch> stretchesOf(std::span<const Operation> list, const Operations& all) {
    std::vector<Stretch> stretches;
    for (u64 at = 0; at < list.size();) {
        Stretch best{.first = at};
        for (u64 length = 1; length <= kLongest && at + length <= list.size(); ++length) {
            const u64 rounds = roundsOf(list.subspan(at), length, all);
            if (rounds >= kFewestRounds && length * (rounds - 1) > best.length * (best.times - 1))
                best = {at, length, rounds};
        }
        stretches.push_back(best);
        at += best.length * best.times;
    }
    return stretches;
}

}  // namespace lockstep::operations
