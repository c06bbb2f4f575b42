// The exact flow of values through a cursor's block (explain/block_flow.h), followed when it is first asked
// for: a stage that finds no matrices to show need not wait for it.
#pragma once

#include "explain/block_flow.h"
#include "run/run.h"
#include "viz/cursor/cursor.h"

#include <optional>

namespace lockstep::viz {

class LazyFlow {
public:
    // The run stays the caller's.
    LazyFlow(const run::Run& run, const Cursor& cursor) : run_(run), cursor_(cursor) {}
    // None: the block was not recorded, or its kernel and launch do not fit.
    const explain::BlockFlow* get() const;

private:
    const run::Run& run_;
    Cursor cursor_;
    mutable bool isDone_ = false;
    mutable std::optional<explain::BlockFlow> flow_;
};

// The load from a buffer that stored bytes came from, if they were merely moved, or computed from that one
// load alone; none: they are made up, or made of several.
std::optional<explain::Origin> bufferLoadBehind(const explain::BlockFlow& flow,
                                                const explain::Origin& stored);

}  // namespace lockstep::viz
