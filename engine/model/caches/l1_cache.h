// The L1 of one multiprocessor: lines of 128 bytes of which each 32-byte sector is there or not.
#pragma once

#include "base/integers.h"

#include <vector>

namespace lockstep::model {

class L1Cache {
public:
    explicit L1Cache(u64 bytes);

    // Which of the sectors are there; afterwards all are.
    u32 load(u64 line, u32 sectors) {
        u64& entry = touch(line);
        const u32 hits = u32(entry) & sectors;
        entry |= sectors;
        return hits;
    }
    // Data goes on to L2, but stays here too: a whole sector can be loaded again; of one that is stored in
    // part, what is here is brought up to date. Returns the hits: all sectors of a line that was loaded or
    // stored before, whether they are there or not. Measured on an H200: 7 of 8 warps that store into one
    // line one after another hit it (matmul/naive-swapped, 85 to 86 %).
    u32 store(u64 line, u32 sectors, u32 whole) {
        u64& entry = touch(line);
        const u32 hits = (entry & kTouched) != 0 ? sectors : 0;
        entry |= whole | kStored;
        return hits;
    }
    // Atomics happen in L2: what is here is out of date.
    void drop(u64 line, u32 sectors) {
        if (u64* entry = find(line)) *entry &= ~u64{sectors};
    }
    void clear();
    // This line will be asked for soon: the host's own caches may fetch what we know of it.
    void expect(u64 line) const { __builtin_prefetch(entries_.data() + u64{setOf(line)} * stride_, 1); }

private:
    // line << 8 | sectors, the one used last first.
    static constexpr u64 kNoLine = ~u64{0} << 8;
    static constexpr u64 kStored = 1 << 4,
                         kTouched = kStored | 0xf;  // beside the four sectors: something was stored

    u64* set(u64 line) { return entries_.data() + u64{setOf(line)} * stride_; }
    u32 setOf(u64 line) const {
        u64 folded = line;  // lines that lie a multiple of the number of sets apart go to different ones
        folded ^= folded >> 8;
        folded ^= folded >> 16;
        folded ^= folded >> 32;
        return u32(folded) & (sets_ - 1);
    }
    u32 waysOf(u32 set) const { return ways_ + (set < setsWithOneMore_); }
    u64* find(u64 line);
    u64& touch(u64 line) {
        const u32 at = setOf(line);
        u64* const first = entries_.data() + u64{at} * stride_;
        if (first[0] >> 8 == line) [[likely]]
            return first[0];
        return toFront(first, waysOf(at), line);
    }
    static u64& toFront(u64* first, u32 ways, u64 line);

    u32 sets_ = 1, ways_ = 1, setsWithOneMore_ = 0, stride_ = 1;
    std::vector<u64> entries_;
};

}  // namespace lockstep::model
