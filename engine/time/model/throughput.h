// A unit that serves so much a cycle, asked in any order: a calendar of short spans, each filled up to its
// capacity. Who asks for an early time is not hindered by who asked before for a later one.
#pragma once

#include "base/integers.h"

#include <algorithm>
#include <vector>

namespace lockstep::time {

class Throughput {
public:
    explicit Throughput(f64 perCycle) : capacity_(perCycle * kSpanCycles) {}

    // When `amount`, asked for at cycle `at`, is served.
    u64 serve(u64 at, f64 amount = 1) {
        std::size_t span = open(std::size_t(at / kSpanCycles));
        for (;;) {
            const f64 taken = std::min(amount, capacity_ - used_[span]);
            used_[span] += taken;
            amount -= taken;
            if (amount <= kLeast) break;
            next_[span] = u32(span + 1);
            span = open(span + 1);
        }
        const u64 place = u64(span) * kSpanCycles + u64(used_[span] / capacity_ * kSpanCycles);
        if (capacity_ - used_[span] <= kLeast) next_[span] = u32(span + 1);
        return std::max(at, place);
    }

private:
    static constexpr u64 kSpanCycles = 16;
    static constexpr f64 kLeast = 1e-9;

    // The first span from this one on that has room.
    std::size_t open(std::size_t span) {
        std::size_t found = span;
        for (;;) {
            if (found >= used_.size()) {
                const std::size_t old = used_.size();
                used_.resize(found * 2 + 1024);
                next_.resize(used_.size());
                for (std::size_t i = old; i < next_.size(); ++i)
                    next_[i] = u32(i);
            }
            if (next_[found] == found) break;
            found = next_[found];
        }
        // Who comes the same way again has a shorter one.
        while (next_[span] != span && next_[span] != found) {
            const std::size_t after = next_[span];
            next_[span] = u32(found);
            span = after;
        }
        return found;
    }

    f64 capacity_;
    std::vector<f64> used_;
    std::vector<u32> next_;  // a full span leads to a later one
};

}  // namespace lockstep::time
