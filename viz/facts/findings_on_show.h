// Findings where a view can mark them: at the steps of the cursor's warp, and at lines of code.
#pragma once

#include "viz/cursor/lookup.h"
#include "viz/view.h"

#include <string>
#include <vector>

namespace lockstep::viz {

// Lanes of the cursor's warp that have been found to do wrong at a step, or that others collide with there.
struct FoundAt {
    u32 step = 0;
    LaneMask lanes;
    std::vector<const trace::Finding*> findings;  // as listed
    bool hasProblem = false;  // or a remark that is counted with a problem, since both are of the same lines

    bool isRemark() const { return !hasProblem; }
    Cursor go(const Cursor& cursor) const;  // to the cursor's lane if it is one of them, else to the lowest
    std::string hover(const ViewInput& in) const;
};
// In order of the steps.
std::vector<FoundAt> findingsOfWarp(const run::Run& run, const Cursor& cursor);

// What was found at a line (or, of PTX, at the instructions of a line), a mistake of many threads once.
struct FoundOnLine {
    u32 line = 0;
    std::string hover;
    std::optional<Cursor> go{};  // where the first of them is
    bool isRemark = true;        // all of them are
};
// file: whose lines; kPtxLines: those of the PTX.
inline constexpr u32 kPtxLines = ~0u;
std::vector<FoundOnLine> findingsOfLines(const ViewInput& in, u32 file);

// The mark of both, and its color: what does no harm is not red.
Role roleOfFound(bool isRemark);
void drawFound(class Canvas& canvas, Point centre, f32 size, bool isRemark);
// What the marks on the cursor's warp mean: problem, remark, as far as they occur.
std::vector<struct KeyRow> keysOfFound(const ViewInput& in, f32 size);

}  // namespace lockstep::viz
