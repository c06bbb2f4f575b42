// Where things stand on the stage of patches: at the right the block's tiles around its part of P, N's above
// it and M's left of it, so that rows and columns meet at the patch; at the left the whole matrices, small,
// and below them the registers of the cursor's thread.
#pragma once

#include "explain/matrices/patch_facts.h"
#include "viz/scene/scene.h"
#include "viz/view.h"

namespace lockstep::viz {

// N above P, M left of P, in cells of one size.
struct MatrixCross {
    f32 cell = 0;
    Point m, n, p;                                  // top left corners
    u32 inner = 0, top = 0, rows = 0, columns = 0;  // M's columns, N's rows, rows and columns of P
    Rect pArea() const { return {p.x, p.y, f32(columns) * cell, f32(rows) * cell}; }
    Rect mArea() const { return {m.x, m.y, f32(inner) * cell, f32(rows) * cell}; }
    Rect nArea() const { return {n.x, n.y, f32(columns) * cell, f32(top) * cell}; }
};

struct PatchLayout {
    static constexpr f32 kLeastValueCell = 26;  // smaller ones have no numbers

    bool fits = false;
    Rect side;         // marks and lane table; width 0: no room
    Rect key;          // the marks in a row, where there is no room beside
    MatrixCross main;  // the block's tiles and its part of P, or the matrices where there are no tiles
    MatrixCross map;   // the whole matrices; cell 0: main shows them, or there is no room
    Rect registers;    // width 0: no room
};

PatchLayout layoutPatches(const explain::PatchFacts& facts, const Rect& body, const ViewInput& in);

}  // namespace lockstep::viz
