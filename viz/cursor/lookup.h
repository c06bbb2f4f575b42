// What a run recorded at a cursor, and how places in it are called.
#pragma once

#include "explain/access/warp_steps.h"
#include "explain/sentences/lane_lists.h"
#include "explain/source/source_line.h"
#include "run/run.h"
#include "viz/cursor/cursor.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep::viz {

struct CursorContext {
    const trace::FocusBlock* block = nullptr;  // none: this block was not recorded
    const trace::WarpTrace* warp = nullptr;
    const trace::Step* step = nullptr;
    const trace::StoredAccess* access = nullptr;  // of the step, if it touches memory
};
CursorContext lookUp(const run::Run& run, const Cursor& cursor);

u32 stepsOfWarp(const run::Run& run, const Cursor& cursor);  // 0: it was not recorded

const Launch& launchOf(const run::Run& run, LaunchId launch);

// The line, or where it has no room the side of its assignment that an access is on: "… = tile[x][y];",
// "out[i] = …".
std::string lineOrSide(std::string_view line, bool writes, bool fits);
// "tiled_bounds.cu" of "kernels/matmul/tiled_bounds.cu".
std::string_view fileName(std::string_view path);

// A block or a thread with its axes named: "(x 1, y 0)", "x 5" where there is one dimension; for cells and
// buttons "x1 y0", "x5".
std::string coordinates(Dim3 at, Dim3 extents);
std::string shortCoordinates(Dim3 at, Dim3 extents);

// Accesses of one warp in step order.
struct AccessAt {
    Warp warp;
    u32 step;
    const trace::StoredAccess* access;
};
// All accesses of a block's source line and space, warp by warp.
std::vector<AccessAt> accessesOfLine(const run::Run& run, const trace::FocusBlock& block,
                                     explain::SourceLine line, trace::Space space);

// Type of what a memory instruction moves, as written.
ptx::Type elementType(const ptx::Module& module, Pc pc);

}  // namespace lockstep::viz
