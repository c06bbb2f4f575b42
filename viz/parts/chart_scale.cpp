#include "viz/parts/chart_scale.h"

#include "base/text/counted.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::viz {
namespace {

constexpr std::size_t kTicksAtValues = 16;  // of more values only round ones have a tick

std::vector<f64> sortedOnce(std::span<const f64> values) {
    std::vector<f64> sorted(values.begin(), values.end());
    std::ranges::sort(sorted);
    sorted.erase(std::ranges::unique(sorted).begin(), sorted.end());
    return sorted;
}

// 1, 2 or 5 times a power of ten, not less than the value.
f64 roundUp(f64 value) {
    const f64 power = std::pow(10.0, std::floor(std::log10(value)));
    for (const f64 factor : {1.0, 2.0, 5.0})
        if (value <= factor * power * (1 + 1e-9)) return factor * power;
    return 10 * power;
}
f64 roundDown(f64 value) {
    const f64 power = std::pow(10.0, std::floor(std::log10(value * (1 + 1e-9))));
    for (const f64 factor : {5.0, 2.0})
        if (value >= factor * power * (1 - 1e-9)) return factor * power;
    return power;
}

// From one to the other, both 1, 2 or 5 times a power of ten.
std::vector<f64> roundValues(f64 least, f64 most) {
    std::vector<f64> all;
    for (f64 value = roundUp(least); value <= most * (1 + 1e-9); value = roundUp(value * 1.5))
        all.push_back(value);
    return all;
}

bool isPowerOfTen(f64 value) {
    const f64 power = std::log10(value);
    return std::abs(power - std::round(power)) < 1e-6;
}

// Of round values the most that are not too many: all, powers of ten, every second of these, ...
std::vector<f64> thinned(std::vector<f64> round, std::size_t most) {
    if (round.size() <= most) return round;
    std::vector<f64> tens;
    for (const f64 value : round)
        if (isPowerOfTen(value)) tens.push_back(value);
    if (tens.size() < 2) return {round.front(), round.back()};
    for (std::size_t every = 1;; ++every) {
        std::vector<f64> some;
        for (std::size_t i = 0; i < tens.size(); i += every)
            some.push_back(tens[i]);
        if (some.size() <= std::max<std::size_t>(most, 2)) return some;
    }
}

std::vector<f64> steps(f64 least, f64 most, f64 step) {
    std::vector<f64> all;
    for (f64 i = std::ceil(least / step - 1e-9); i * step <= most + 1e-9 * step; ++i)
        all.push_back(i * step);
    return all;
}

}  // namespace

f64 AxisScale::share(f64 value) const {
    if (most <= least) return 0.5;
    if (!isLog) return (value - least) / (most - least);
    return std::log(value / least) / std::log(most / least);
}

AxisScale parameterScale(std::span<const f64> values, AxisScaling scaling) {
    const std::vector<f64> sorted = sortedOnce(values);
    if (sorted.empty()) return {};
    AxisScale scale{.isLog = false, .least = sorted.front(), .most = sorted.back(), .ticks = {}};
    AxisScale log = scale;
    log.isLog = true;
    constexpr f64 kFarApart = 8;  // of few values
    const auto fromMiddle = [&](const AxisScale& on) {
        const f64 below = sorted[(sorted.size() - 1) / 2], above = sorted[sorted.size() / 2];
        return std::abs((on.share(below) + on.share(above)) / 2 - 0.5);
    };
    const bool isSpread =
        sorted.size() < 3 ? scale.most >= kFarApart * scale.least : fromMiddle(log) < fromMiddle(scale);
    if (scale.least > 0 && scale.most > scale.least &&
        (scaling == AxisScaling::Log || (scaling == AxisScaling::Auto && isSpread)))
        scale = log;
    if (sorted.size() <= kTicksAtValues) return scale.ticks = sorted, scale;
    scale.ticks = scale.isLog ? roundValues(scale.least, scale.most)
                              : steps(scale.least, scale.most, roundUp((scale.most - scale.least) / 10));
    scale.ticks.insert(scale.ticks.end(), {scale.least, scale.most});
    scale.ticks = sortedOnce(scale.ticks);
    return scale;
}

AxisScale metricScale(std::span<const f64> values, AxisScaling scaling, std::size_t mostTicks) {
    const std::vector<f64> sorted = sortedOnce(values);
    mostTicks = std::max<std::size_t>(mostTicks, 2);
    if (sorted.empty() || sorted.back() <= 0) return {.isLog = false, .least = 0, .most = 1, .ticks = {0, 1}};
    const f64 least = sorted.front(), most = sorted.back();
    if (least > 0 &&
        (scaling == AxisScaling::Log || (scaling == AxisScaling::Auto && most >= kSpreadOfLog * least))) {
        AxisScale scale{.isLog = true, .least = roundDown(least), .most = roundUp(most), .ticks = {}};
        if (scale.most <= scale.least) scale.most = roundUp(scale.least * 1.5);
        scale.ticks = thinned(roundValues(scale.least, scale.most), mostTicks);
        return scale;
    }
    const f64 bottom = std::min(least, 0.0);
    f64 step = roundUp((most - bottom) / f64(mostTicks));
    const auto top = [&] { return std::ceil(most / step - 1e-9) * step; };
    while ((top() - std::floor(bottom / step) * step) / step + 1 > f64(mostTicks) + 1e-9)
        step = roundUp(step * 1.5);
    AxisScale scale{.isLog = false, .least = std::floor(bottom / step) * step, .most = top(), .ticks = {}};
    scale.ticks = steps(scale.least, scale.most, step);
    return scale;
}

std::string parameterTickText(f64 value) {
    return (value < 0 ? "-" : "") + grouped(u64(std::llround(std::abs(value))));
}

std::string tickText(f64 value) {
    constexpr f64 kWrittenOut = 100'000;
    const auto brief = [](f64 number) { return fmt::format("{:.4g}", number); };
    if (std::abs(value) < kWrittenOut) {
        const bool isWhole = std::abs(value - std::round(value)) < 1e-9;
        if (!isWhole) return brief(value);
        return parameterTickText(value);
    }
    constexpr std::array kPrefixes{"k", "M", "G", "T", "P"};
    std::size_t prefix = 0;
    for (value /= 1000; std::abs(value) >= 1000 && prefix + 1 < kPrefixes.size(); ++prefix)
        value /= 1000;
    return fmt::format("{} {}", brief(value), kPrefixes[prefix]);
}

std::string tickTimeText(f64 milliseconds) {
    struct Unit {
        const char* name;
        f64 milliseconds;
    };
    constexpr std::array kUnits{Unit{"s", 1000}, Unit{"ms", 1}, Unit{"µs", 1e-3}, Unit{"ns", 1e-6}};
    if (milliseconds <= 0) return "0";
    const auto unit = std::ranges::find_if(
        kUnits, [&](const Unit& one) { return milliseconds >= one.milliseconds * (1 - 1e-9); });
    const Unit& of = unit == kUnits.end() ? kUnits.back() : *unit;
    return fmt::format("{:.4g} {}", milliseconds / of.milliseconds, of.name);
}

}  // namespace lockstep::viz
