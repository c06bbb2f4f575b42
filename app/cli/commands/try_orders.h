// Tries other orders of a run's threads, with progress on a terminal; Ctrl+C and --limit keep what was tried.
#pragma once

#include "app/cli/options/view_options.h"
#include "app/cli/session.h"
#include "run/orders/order_search.h"
#include "viz/orders_on_show.h"

namespace lockstep::cli {

Expected<run::OrderSearch> tryOrders(const run::Run& run, const RunOptions& options, u32 orders,
                                     Session& session);

// What a view shows of them, if it does.
viz::OrdersOnShow ordersFor(const viz::ViewRow& view, const run::Run& run, const ViewOptions& options,
                            Session& session);

}  // namespace lockstep::cli
