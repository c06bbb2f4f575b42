// When the lanes of a block load tiles into shared memory, and when they multiply with them.
#pragma once

#include "witness/record/facts.h"

#include <map>
#include <vector>

namespace lockstep::witness {

struct TileSpans {
    struct Span {
        u32 begin = 0, end = 0;  // steps of the warp, the end behind the last
        bool contains(u32 step) const { return step >= begin && step < end; }
        void take(u32 step) {
            begin = end == 0 ? step : std::min(begin, step);
            end = std::max(end, step + 1);
        }
    };
    u32 tiles = 0;
    std::map<std::pair<u32, u32>, Span> loads;             // by warp and tile
    std::map<std::tuple<u32, u32, u32>, Span> multiplies;  // by warp, lane and tile
    Span loadOf(const BlockFacts& block, u32 warp, u32 lane, u32 tile) const;
};
TileSpans tileSpansOf(const BlockFacts& block);

}  // namespace lockstep::witness
