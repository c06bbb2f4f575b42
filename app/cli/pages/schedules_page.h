// What other orders of a run's threads came to, as `run --schedules` prints it.
#pragma once

#include "base/text/language.h"
#include "run/orders/order_search.h"

namespace lockstep::cli {

void printSchedules(const run::Run& run, const run::OrderSearch& search, Language language);

}  // namespace lockstep::cli
