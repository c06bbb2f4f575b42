// What was recorded at a cursor.
#pragma once

#include "base/cursor.h"
#include "explain/access/warp_steps.h"
#include "explain/cursor/recorded.h"
#include "explain/source/source_line.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep::explain {

struct CursorContext {
    const trace::FocusBlock* block = nullptr;  // none: this block was not recorded
    const trace::WarpTrace* warp = nullptr;
    const trace::Step* step = nullptr;
    const trace::StoredAccess* access = nullptr;  // of the step, if it touches memory
};
CursorContext lookUp(const Recorded& run, const Cursor& cursor);

u32 stepsOfWarp(const Recorded& run, const Cursor& cursor);  // 0: it was not recorded

const Launch& launchOf(const Recorded& run, LaunchId launch);

// Accesses of one warp in step order.
struct AccessAt {
    Warp warp;
    u32 step;
    const trace::StoredAccess* access;
};
// All accesses of a block's source line and space, warp by warp.
std::vector<AccessAt> accessesOfLine(const Recorded& run, const trace::FocusBlock& block, SourceLine line,
                                     trace::Space space);

// Type of what a memory instruction moves, as written.
ptx::Type elementType(const ptx::Module& module, Pc pc);

}  // namespace lockstep::explain
