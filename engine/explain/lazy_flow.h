// The exact flow of values through a cursor's block (explain/block_flow.h) and the shape that it proves, each
// worked out when it is first asked for: a stage that finds no matrices to show need not wait for it.
#pragma once

#include "base/cursor.h"
#include "explain/block_flow.h"
#include "explain/cursor/recorded.h"
#include "explain/shape.h"

#include <optional>

namespace lockstep::explain {

class LazyFlow {
public:
    // The run stays the caller's.
    LazyFlow(const Recorded& run, const Cursor& cursor) : run_(run), cursor_(cursor) {}
    // None: the block was not recorded, or its kernel and launch do not fit.
    const BlockFlow* get() const;
    // Generic where the values cannot be followed.
    const ProvedShape& shape() const;

private:
    Recorded run_;
    Cursor cursor_;
    mutable bool isDone_ = false;
    mutable std::optional<BlockFlow> flow_;
    mutable std::optional<ProvedShape> shape_;
};

// The load from a buffer that stored bytes came from, if they were merely moved, or computed from that one
// load alone; none: they are made up, or made of several.
std::optional<Origin> bufferLoadBehind(const BlockFlow& flow, const Origin& stored);

}  // namespace lockstep::explain
