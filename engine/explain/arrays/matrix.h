// A two-dimensional buffer and its cells, as the stages speak of them.
#pragma once

#include "base/integers.h"
#include "explain/cursor/recorded.h"
#include "explain/shape.h"

#include <string>

namespace lockstep::explain {

struct CellIndex {
    s64 row = 0, column = 0;
    bool operator==(const CellIndex&) const = default;
};

struct Matrix {
    u32 buffer = 0;
    std::string name;
    u64 rows = 0, columns = 0;
    bool contains(CellIndex c) const {
        return c.row >= 0 && c.column >= 0 && u64(c.row) < rows && u64(c.column) < columns;
    }
    CellIndex cellOf(u64 element) const { return {s64(element / columns), s64(element % columns)}; }
};

// As its use shows it.
inline Matrix matrixOf(const Recorded& run, const ShapedBuffer& shaped) {
    return {shaped.buffer, run.recording.initial[shaped.buffer].name, shaped.rows, shaped.columns};
}

}  // namespace lockstep::explain
