#include "base/text/percent.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep {

namespace {

std::string percentText(f64 value, int decimals) {
    constexpr int kMostDecimals = 9;
    if (value <= 0) return "0";
    if (value == 100) return "100";
    const auto rounds = [&] {
        const f64 half = 0.5 * std::pow(10.0, -decimals);  // which goes up
        return value < half || (value >= 100 - half && value < 100 + half);
    };
    while (decimals < kMostDecimals && rounds())
        ++decimals;
    const f64 scale = std::pow(10.0, decimals);
    return fmt::format("{:.{}f}", std::round(value * scale) / scale, decimals);
}

}  // namespace

std::string percentOfShare(f64 share, int decimals) { return percentText(100 * share, decimals); }

// Divided last, so that a half is one: 57.5 of 23 and 40.
std::string percentOf(u64 part, u64 whole, int decimals) {
    return whole == 0 ? "0" : percentText(100.0 * f64(part) / f64(whole), decimals);
}

u32 wholePercentOf(u64 part, u64 whole) {
    if (whole == 0 || part == 0) return 0;
    if (part >= whole) return 100;
    return u32(std::clamp(std::round(100 * f64(part) / f64(whole)), 1.0, 99.0));
}

}  // namespace lockstep
