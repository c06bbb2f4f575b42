// Which elements of the buffers are a block's own, because it writes their result, and which it takes from
// its neighbors: the halo of a stencil.
#pragma once

#include "base/cursor.h"
#include "explain/cursor/recorded.h"
#include "explain/lazy_flow.h"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace lockstep::explain {

// Of rows and columns: [first, end).
struct CellRange {
    u64 firstRow = 0, endRow = 0, firstColumn = 0, endColumn = 0;
    bool contains(u64 row, u64 column) const {
        return row >= firstRow && row < endRow && column >= firstColumn && column < endColumn;
    }
    bool operator==(const CellRange&) const = default;
};

struct BlockPart {
    CellRange own;
    std::set<u64> halo;  // elements outside of it that the block touches, row after row
    // Everything that is own or halo.
    CellRange around(u64 columns) const;
};

struct BlockParts {
    std::map<u32, BlockPart> buffers;  // by number: those with the shape of the buffer that the block writes
    std::vector<std::optional<BlockPart>>
        shared;  // as sharedArrays() has them: what a place holds at the end
};

// Empty where the block writes no whole rectangle of a matrix, or writes all of it; of what it reads, only
// buffers are named in which it reaches less far beyond the part than that is wide.
BlockParts blockParts(const Recorded& run, const Cursor& cursor, const LazyFlow& flow);
BlockParts blockParts(const Recorded& run, const Cursor& cursor);

}  // namespace lockstep::explain
