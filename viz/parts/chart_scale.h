// Axes of charts: from where to where, linear or logarithmic, and which values have a tick.
#pragma once

#include "base/integers.h"
#include "viz/view_options.h"

#include <span>
#include <string>
#include <vector>

namespace lockstep::viz {

struct AxisScale {
    bool isLog = false;
    f64 least = 0, most = 1;
    std::vector<f64> ticks;  // ascending, none outside
    // 0 at the least value, 1 at the most.
    f64 share(f64 value) const;
};

// Of the parameter, across: from the first value to the last. Logarithmic where the values are spread so: the
// middle one is nearer to the middle of a logarithmic axis. Ticks at the values themselves, or, of many, at
// round ones and at both ends. A logarithmic axis needs values above 0: else it is linear, whatever is asked
// for.
AxisScale parameterScale(std::span<const f64> values, AxisScaling scaling);

// Of the metric, upwards: linear from 0, or logarithmic where the most is kSpreadOfLog times the least,
// between round values; with at most so many ticks (two at least).
inline constexpr f64 kSpreadOfLog = 20;
AxisScale metricScale(std::span<const f64> values, AxisScaling scaling, std::size_t mostTicks);

// A tick's number in little room: "64", "4,096", "100 k", "2.5 M", "0.05".
std::string tickText(f64 value);
// Of a parameter, which is a whole number and written out: "4,194,304".
std::string parameterTickText(f64 value);
// Of a time in milliseconds, in the unit that suits: "5 µs", "200 ms".
std::string tickTimeText(f64 milliseconds);

}  // namespace lockstep::viz
