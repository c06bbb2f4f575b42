// Which launches of a run are worth running in other orders, which of their blocks, and where turns matter.
#pragma once

#include "run/run.h"
#include "simt/order/order.h"
#include "simt/order/order_trial.h"

namespace lockstep::run {

struct PlannedOrders {
    simt::OrderPlan plan;
    simt::OrderChoices choices;
    bool hasRace = false;
};

PlannedOrders planOrders(const Run& run, bool cooperative);

}  // namespace lockstep::run
