// What the program counts: one row a metric, with its name in words. Reports, comparisons and tables name them from here.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/text.h"

namespace lockstep::model {

struct Metric {
    std::string key;  // of Report::counters: ncu's name without .sum, or ptx__ of our own
    Text what;        // of several, so that a number can stand before it: "sectors loaded from global memory"
};

// In the order in which people read them: global memory, shared memory, instructions.
std::span<const Metric> metrics();
const Metric* findMetric(std::string_view key);

}  // namespace lockstep::model
