#include "base/text/quantities.h"

#include "base/text/counted.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep {
namespace {

struct Unit {
    f64 from;   // least value that is said in it
    f64 whole;  // one of it
    const char* name;
};

template <std::size_t count> const Unit& unitFor(const std::array<Unit, count>& units, f64 value) {
    const auto found = std::ranges::find_if(units, [&](const Unit& unit) { return value >= unit.from; });
    return found == units.end() ? units.back() : *found;
}

}  // namespace

std::string threeDigits(f64 value) {
    constexpr f64 kUp =
        1.0005;  // what is rounded up to the next power of ten has a digit less behind the point
    const int decimals = value <= 0 ? 0 : std::clamp(2 - int(std::floor(std::log10(value * kUp))), 0, 5);
    return value >= 1e3 ? grouped(u64(std::round(value))) : fmt::format("{:.{}f}", value, decimals);
}

TimeUnit timeUnitFor(f64 longestMilliseconds) {
    // From 999.5 of a unit on three digits are one of the next.
    static constexpr std::array<Unit, 4> kUnits{
        {{999.5, 1e3, "s"}, {0.9995, 1, "ms"}, {0.9995e-3, 1e-3, "µs"}, {0, 1e-6, "ns"}}};
    const Unit& unit = unitFor(kUnits, longestMilliseconds);
    return {unit.name, unit.whole};
}

std::string timeText(f64 milliseconds) {
    const TimeUnit unit = timeUnitFor(milliseconds);
    return unit.figure(milliseconds) + " " + unit.name;
}

namespace {

constexpr f64 kKilo = 1000;
constexpr std::array<const char*, 5> kByteUnits{"B", "KB", "MB", "GB", "TB"};

// Exact below 10,000 bytes; from there on three digits.
std::size_t byteUnitOf(f64 bytes) {
    constexpr f64 kExact = 9999.5, kNext = 999.5;
    if (bytes < kExact) return 0;
    std::size_t unit = 1;
    for (bytes /= kKilo; bytes >= kNext && unit + 1 < kByteUnits.size(); ++unit)
        bytes /= kKilo;
    return unit;
}

std::string bytesIn(std::size_t unit, f64 bytes) {
    const f64 amount = bytes / std::pow(kKilo, f64(unit));
    return fmt::format("{} {}", unit == 0 ? grouped(u64(std::round(amount))) : threeDigits(amount),
                       kByteUnits[unit]);
}

}  // namespace

std::string bytesText(f64 bytes) { return bytesIn(byteUnitOf(bytes), bytes); }

std::string bytesBeside(f64 bytes, f64 other) {
    constexpr f64 kLeast = 1;
    const std::size_t unit = std::max(byteUnitOf(bytes), byteUnitOf(other));
    return bytes / std::pow(kKilo, f64(unit)) >= kLeast ? bytesIn(unit, bytes) : bytesText(bytes);
}

std::string capacityText(f64 bytes) {
    constexpr f64 kKibi = 1024, kFew = 10;
    static constexpr std::array<const char*, 5> kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    for (; unit + 1 < kUnits.size(); ++unit) {
        const f64 larger = bytes / kKibi;
        if (larger < kFew && (larger < 1 || larger != std::floor(larger))) break;
        bytes = larger;
    }
    const bool isWhole = bytes == std::floor(bytes) || bytes >= 100;
    return fmt::format("{} {}", isWhole ? grouped(u64(std::round(bytes))) : threeDigits(bytes), kUnits[unit]);
}

std::string bytesPerSecondText(f64 rate) {
    static constexpr std::array<Unit, 4> kUnits{
        {{0.9995e12, 1e12, "TB/s"}, {0.9995e9, 1e9, "GB/s"}, {0.9995e6, 1e6, "MB/s"}, {0, 1e3, "KB/s"}}};
    const Unit& unit = unitFor(kUnits, rate);
    return threeDigits(rate / unit.whole) + " " + unit.name;
}

}  // namespace lockstep
