// The lanes of a warp as two rows, before and after a shuffle, a vote, a match or a reduction, with the ways
// of the values between them.
#pragma once

#include "explain/exchange/lane_exchange.h"
#include "viz/scene/canvas.h"
#include "viz/view.h"

namespace lockstep::viz {

struct ExchangeStrip {
    const ViewInput& in;
    const explain::LaneExchange& exchange;
    Cursor at;  // of the exchange: the cursor's step, or the nearest one that is an exchange

    // What the cursor's lane gets, or what all of them get where it takes no part.
    std::string title() const;
    // Below the title.
    void draw(Canvas& canvas, const Rect& area) const;
};

}  // namespace lockstep::viz
