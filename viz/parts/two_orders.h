// The recorded order of a run's threads and another one, as turns of the warps up to where the two runs part.
#pragma once

#include "explain/order/turns.h"
#include "run/orders/order_search.h"
#include "viz/scene/canvas.h"
#include "viz/view.h"

#include <string_view>
#include <vector>

namespace lockstep::viz {

struct WarpColumn {
    Dim3 block{0, 0, 0};
    Warp warp;
    bool operator==(const WarpColumn&) const = default;
};

struct TwoOrders {
    const run::BadOrder* bad = nullptr;  // null: no order changes the result, or the runs part nowhere
    explain::OrderTurns recorded{}, changed{};
    std::vector<WarpColumn> columns{};  // warps of either, those that race first
    std::size_t racing = 0;             // so many of them
};

TwoOrders twoOrdersOf(const run::Run& run, const run::OrderSearch& search);

// One of them: a column for each warp, time downwards, the accesses that race framed and in words.
void drawOrder(Canvas& canvas, const ViewInput& in, const Rect& area, const TwoOrders& orders, bool isChanged,
               std::string_view title);
// The height that it takes to show at least the accesses that race.
f32 leastHeightOfOrder(Canvas& canvas, const ViewInput& in, f32 width, const TwoOrders& orders,
                       bool isChanged, std::string_view title);

}  // namespace lockstep::viz
