// Where things stand on the matrix stage. Small: N above P, M left of P, the shared tiles in the free quarter
// above M. Large: the block's tiles in that arrangement, its part of P in the corner, and the whole matrices
// as a map in the free quarter. Registers stand between matrices and tiles, marks and lane table at the left.
#pragma once

#include "explain/matrices/matmul_facts.h"
#include "viz/parts/zoomed.h"
#include "viz/scene/scene.h"
#include "viz/view.h"

#include <optional>

namespace lockstep::viz {

using explain::Activity, explain::CellIndex, explain::MatmulFacts;

struct MatmulLayout {
    f32 cell = 0;      // of the matrices
    f32 tileCell = 0;  // of the shared tiles
    bool fits = false;
    bool low = false;  // little height: names closer, no indices
    bool magnified =
        false;           // elements are too small to be read: matrices as a map, the tiles as the magnifier
    Zoomed zoom;         // everything but side and strip is under it
    bool alone = false;  // presented while an operand is loaded: that operand and its tile, nothing else
    Rect side;           // marks and lane table; width 0: no room
    Rect key;            // the marks in a row, where there is no room beside; width 0: no room here either
    Rect panel;          // around the shared tiles
    Point m, n, p;       // top left corners
    Point mds, nds;
    std::optional<Point> sums;  // magnified: the block's elements of P
    f32 mSlotTop = 0, nSlotTop = 0,
        slotHeight = 0;  // the register rows: below the tiles, magnified above them
    u32 slotRows = 1;
    std::optional<Rect> strip;               // memory, row after row
    u32 rowsM = 0, inner = 0, columnsN = 0;  // cells drawn, those outside of the matrices included

    Rect cellAt(Point origin, CellIndex c) const {
        return {origin.x + f32(c.column) * cell, origin.y + f32(c.row) * cell, cell, cell};
    }
};

// `body`: what the head leaves.
MatmulLayout layoutMatmul(const MatmulFacts& facts, const Launch& launch, const Rect& body,
                          const ViewInput& in);

}  // namespace lockstep::viz
