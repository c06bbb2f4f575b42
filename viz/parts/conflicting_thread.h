// A finding at the cursor has two threads: the cursor's, and the one that it collides with. A stage marks the
// element where they meet as a finding, with the name of the other thread beside it.
#pragma once

#include "viz/scene/canvas.h"
#include "viz/view.h"

#include <optional>
#include <string>

namespace lockstep::viz {

struct ConflictingThread {
    trace::Space space = trace::Space::Shared;
    u64 address = 0;
    std::string name;            // what it does: "read by thread (x 0, y 1)"
    std::string sentence;        // of the finding
    std::optional<Cursor> go{};  // where the other thread does its part
    bool isRemark = false;       // it does no harm

    bool isAt(trace::Space where, u64 first, u64 bytes) const {
        return where == space && address >= first && address < first + bytes;
    }
};

// None where the cursor stands on no finding between two threads of its block.
std::optional<ConflictingThread> conflictingThreadAt(const ViewInput& in);
// cell: of the element. To be drawn last: the name stands within `area`, as near as it can without hiding
// what is drawn already.
void draw(Canvas& canvas, const ConflictingThread& second, const Rect& cell, const Rect& area);

}  // namespace lockstep::viz
