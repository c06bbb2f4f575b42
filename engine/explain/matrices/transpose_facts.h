// The elements that a block moves from one matrix to another, each followed from the load through register
// and shared tile to the store. Nothing is assumed of the kernel: the matrices are the
// two-dimensional buffers that the block reads and writes.
#pragma once

#include "explain/arrays/matrix.h"
#include "explain/arrays/shared_arrays.h"
#include "explain/cursor/lookup.h"
#include "explain/lazy_flow.h"

#include <optional>
#include <vector>

namespace lockstep::explain {

inline constexpr u32 kNever = 0xffffffffu;

// One element on its way. Orders count the block's steps; kNever: this way does not lead there.
struct Moved {
    struct Thread {
        Warp warp;
        Lane lane;
    };
    Thread loader, taker;             // who reads it from memory, who reads it from the tile
    u64 from = 0, place = 0, to = 0;  // elements of the one matrix, the tile, the other
    u32 loaded = kNever, kept = kNever, taken = kNever, stored = kNever;
    f64 value = 0;
};

// What a step does to the elements that it concerns.
enum class Move : u8 { None, Load, Keep, Take, Store };

struct TransposeFacts {
    Matrix in, out;
    std::optional<SharedArray> tile;
    std::vector<Moved> moved;  // in the order of their loads
    Move moveAt(const Moved& moved, u32 order) const;
};

// Between which buffers, with their rows and columns.
struct TransposeRoles {
    Matrix in, out;
};

// None where the block cannot be followed, or moves nothing between them.
std::optional<TransposeFacts> transposeFacts(const Recorded& run, const Cursor& cursor,
                                             const TransposeRoles& roles, const LazyFlow& flow);
// The first two-dimensional buffers that it reads and writes; none where there are none.
std::optional<TransposeFacts> transposeFacts(const Recorded& run, const Cursor& cursor, const LazyFlow& flow);
std::optional<TransposeFacts> transposeFacts(const Recorded& run, const Cursor& cursor);

}  // namespace lockstep::explain
