// The median of several measurements.
#pragma once

#include "base/check.h"
#include "base/integers.h"

#include <algorithm>
#include <vector>

namespace lockstep {

// For an even number: the mean of the two in the middle. Needs at least one.
inline f64 median(std::vector<f64> values) {
    CHECK(!values.empty(), "something was measured");
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace lockstep
