// Key `schedules` of the JSON of `run`: what other orders of the same launches came to.
#pragma once

#include "app/cli/json/json.h"
#include "run/orders/order_search.h"

namespace lockstep::cli {

Json schedulesJson(const run::Run& run, const run::OrderSearch& search);

}  // namespace lockstep::cli
