#include "operations/stretches.h"

namespace lockstep::operations {
namespace {

constexpr u64 kLongest = 24;  // operations of one round
constexpr u64 kFewestRounds = 3;

std::optional<u32> bufferOf(const std::optional<Side>& side) { return side ? side->buffer : std::nullopt; }

bool isAlike(const Operation& a, const Operation& b) {
    return a.kind == b.kind && a.place == b.place && a.stream == b.stream && a.event == b.event &&
           a.bytes == b.bytes && a.findings == b.findings && a.grid == b.grid && a.block == b.block &&
           a.function == b.function && a.error == b.error && bufferOf(a.from) == bufferOf(b.from) &&
           bufferOf(a.to) == bufferOf(b.to);
}

// Rounds of so many operations that begin here; 1: the next are other ones.
u64 roundsOf(std::span<const Operation> list, u64 length) {
    u64 alike = length;
    while (alike < list.size() && isAlike(list[alike], list[alike - length]))
        ++alike;
    return alike / length;
}

}  // namespace

std::vector<Stretch> stretchesOf(std::span<const Operation> list) {
    std::vector<Stretch> stretches;
    for (u64 at = 0; at < list.size();) {
        Stretch best{.first = at};
        for (u64 length = 1; length <= kLongest && at + length <= list.size(); ++length) {
            const u64 rounds = roundsOf(list.subspan(at), length);
            if (rounds >= kFewestRounds && length * (rounds - 1) > best.length * (best.times - 1))
                best = {at, length, rounds};
        }
        stretches.push_back(best);
        at += best.length * best.times;
    }
    return stretches;
}

}  // namespace lockstep::operations
