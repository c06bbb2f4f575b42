// When a warp loads each tile into shared memory, and when it multiplies with it: which load feeds which
// multiply-adds follows from the flow of values. A kernel that prefetches loads the next tile, into registers
// or with cp.async, before it is done with the one before.
#pragma once

#include "explain/cursor/lookup.h"
#include "explain/lazy_flow.h"

#include <optional>
#include <vector>

namespace lockstep::explain {

struct TilePipeline {
    struct Span {  // steps of the warp; the end is behind the last
        u32 begin = 0, end = 0;
        bool contains(u32 step) const { return step >= begin && step < end; }
        bool empty() const { return begin == end; }
    };
    struct Tile {
        Span load;      // from the first load until all that the warp loads is in shared memory
        Span multiply;  // empty: the warp multiplies nothing of it
    };
    std::vector<Tile> tiles;  // as they are put into shared memory, between two barriers each
    u32 steps = 0;            // of the warp

    bool overlaps() const;  // some tile is loaded while the one before is multiplied
    std::optional<u32> loadedAt(u32 step) const;
    std::optional<u32> multipliedAt(u32 step) const;
};

// Of the cursor's warp, by its lane's multiply-adds. None: it multiplies nothing that came through shared
// memory.
std::optional<TilePipeline> tilePipeline(const Recorded& run, const Cursor& cursor, const LazyFlow& flow);

}  // namespace lockstep::explain
