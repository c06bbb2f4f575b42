#include "model/caches/l1_cache.h"

#include "trace/sector_size.h"

#include <algorithm>

namespace lockstep::model {
namespace {

// How many sets there are is not documented. 256 that are used evenly, with the least recently used line of
// each making room, lose hits as the H200 does when a buffer outgrows L1: about 7 lines for each line too
// many, from 217 KB of 224 on (tests/data/caches/README.md).
constexpr u32 kMostSets = 256;

}  // namespace

L1Cache::L1Cache(u64 bytes) {
    const u64 lines = std::max<u64>(bytes / trace::kLineBytes, 1);
    sets_ = kMostSets;
    while (sets_ > lines)
        sets_ /= 2;
    ways_ = u32(lines / sets_);
    setsWithOneMore_ = u32(lines % sets_);
    stride_ = ways_ + 1;
    clear();
}

void L1Cache::clear() { entries_.assign(u64{sets_} * stride_, kNoLine); }

u64* L1Cache::find(u64 line) {
    const u32 at = setOf(line);
    u64* const first = entries_.data() + u64{at} * stride_;
    u64* const end = first + waysOf(at);
    u64* const found = std::find_if(first, end, [&](u64 entry) { return entry >> 8 == line; });
    return found == end ? nullptr : found;
}

u64& L1Cache::toFront(u64* first, u32 ways, u64 line) {
    u64 moved = first[0];
    for (u32 way = 1; way < ways; ++way) {
        const u64 here = first[way];
        first[way] = moved;
        if (here >> 8 == line) return first[0] = here;
        if (here == kNoLine) break;  // the rest is empty, too
        moved = here;
    }
    return first[0] = line << 8;
}

}  // namespace lockstep::model
