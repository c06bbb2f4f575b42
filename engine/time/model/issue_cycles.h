// In which cycles a sub-core issued: a wait of one of its warps is hidden in these, and exposed in the
// others.
#pragma once

#include "base/integers.h"

#include <bit>
#include <vector>

namespace lockstep::time {

class IssueCycles {
public:
    // Ascending.
    void add(u64 cycle) {
        while (words_.size() <= cycle / kBits)
            words_.push_back({.bits = 0, .before = issued_});
        words_.back().bits |= u64{1} << cycle % kBits;
        ++issued_;
    }
    // Issues from `begin` up to, and without, `end`.
    u64 between(u64 begin, u64 end) const { return before(end) - before(begin); }

private:
    static constexpr u64 kBits = 64;
    struct Word {
        u64 bits = 0, before = 0;  // before: issues before its first cycle
    };

    u64 before(u64 cycle) const {
        if (cycle / kBits >= words_.size()) return issued_;
        const Word& word = words_[cycle / kBits];
        return word.before + u64(std::popcount(word.bits & ((u64{1} << cycle % kBits) - 1)));
    }

    std::vector<Word> words_;
    u64 issued_ = 0;
};

}  // namespace lockstep::time
