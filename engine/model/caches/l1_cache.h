// The L1 of one SM: 128-byte lines, in which each 32-byte sector is valid or not.
#pragma once

#include "base/integers.h"

#include <vector>

namespace lockstep::model {

class L1Cache {
public:
    explicit L1Cache(u64 bytes);

    // Returns the sectors that hit; afterwards all are valid.
    u32 load(u64 line, u32 sectors) {
        u64& entry = touch(line);
        const u32 hits = u32(entry) & sectors;
        entry |= sectors;
        return hits;
    }
    // Write-through, but the data stays here too: a whole sector can be loaded again; a partially stored one
    // is updated if valid. Returns the hits: all sectors if the line was loaded or stored before, valid or
    // not. Measured on an H200: 7 of 8 warps that store to one line in turn hit it (matmul/naive-swapped, 85
    // to 86 %).
    u32 store(u64 line, u32 sectors, u32 whole) {
        u64& entry = touch(line);
        const u32 hits = (entry & kTouched) != 0 ? sectors : 0;
        entry |= whole | kStored;
        return hits;
    }
    // Atomics execute in L2: invalidates the sectors here.
    void drop(u64 line, u32 sectors) {
        if (u64* entry = find(line)) *entry &= ~u64{sectors};
    }
    void clear();
    // Prefetch hint for the host's caches: this line will be looked up soon.
    void expect(u64 line) const { __builtin_prefetch(entries_.data() + u64{setOf(line)} * stride_, 1); }

private:
    // line << 8 | sectors, most recently used first.
    static constexpr u64 kNoLine = ~u64{0} << 8;
    static constexpr u64 kStored = 1 << 4,
                         kTouched = kStored | 0xf;  // beside the four sector bits: the line was stored to

    u64* set(u64 line) { return entries_.data() + u64{setOf(line)} * stride_; }
    u32 setOf(u64 line) const {
        u64 folded = line;  // lines a multiple of the set count apart map to different sets
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
