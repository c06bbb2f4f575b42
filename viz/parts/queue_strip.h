// The lanes of an atomic as queues, one at each address: who comes after whom, and what the word holds before
// and after.
#pragma once

#include "explain/access/atomic_lanes.h"
#include "explain/exchange/atomic_queue.h"
#include "viz/scene/canvas.h"
#include "viz/view.h"

#include <vector>

namespace lockstep::viz {

struct QueueStrip {
    const ViewInput& in;
    const explain::AtomicLanes& atomic;
    const std::vector<explain::AtomicQueue>& queues;
    Cursor at;  // of the atomic: the cursor's step, or the nearest one that is an atomic

    // How many lanes meet at how many addresses.
    std::string title() const;
    // Below the title.
    void draw(Canvas& canvas, const Rect& area) const;
};

}  // namespace lockstep::viz
