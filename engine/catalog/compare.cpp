// Compares results with the reference, element by element: exactly, or within a relative tolerance.
#include "base/check.h"
#include "base/half.h"
#include "catalog/catalog.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace lockstep::catalog {
namespace {

// A non-finite value that the reference lacks outranks every finite difference; NaN outranks infinity.
f64 worse(f64 a, f64 b) {
    if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<f64>::quiet_NaN();
    return std::max(a, b);
}

f64 difference(f64 got, f64 want) {
    if (got == want || (std::isnan(got) && std::isnan(want))) return 0;
    if (std::isnan(got)) return got;
    if (std::isinf(got)) return std::numeric_limits<f64>::infinity();
    return std::abs(got - want);  // infinite if only the reference is not finite
}

// Zero difference is always equal, and required for exact; otherwise it must be within the tolerance.
bool isClose(f64 difference, f64 want, std::optional<f64> tolerance) {
    if (difference == 0) return true;
    return tolerance && std::isfinite(difference) && std::isfinite(want) &&
           difference <= *tolerance * std::abs(want);
}

struct Element {
    f64 got, want, difference;
};

// Integers are compared as such: two different i64 may be the same f64.
Element compareElement(const Buffer& got, const Buffer& want, u64 i) {
    Element element{got.valueAt(i), want.valueAt(i), 0};
    if (got.type == ElementType::I64 || got.type == ElementType::U64) {
        const u64 a = got.as<u64>()[i], b = want.as<u64>()[i];
        const bool isLess = got.type == ElementType::I64 ? s64(a) < s64(b) : a < b;
        element.difference = f64(isLess ? b - a : a - b);
    } else {
        element.difference = difference(element.got, element.want);
        if (std::isnan(element.difference) && !std::isnan(element.got))
            element.difference = std::numeric_limits<f64>::infinity();
    }
    return element;
}

}  // namespace

void compareBuffer(Comparison& comparison, const Buffer& got, const Buffer& want,
                   std::optional<f64> tolerance) {
    CHECK(got.type == want.type && got.bytes.size() == want.bytes.size(),
          "what is expected has the type and length of the result");
    const auto isEqual = [&](u64 at, u64 bytes) {  // operator== of vectors would compare byte by byte
        return std::memcmp(got.bytes.data() + at, want.bytes.data() + at, bytes) == 0;
    };
    if (isEqual(0, want.bytes.size())) return;
    const u32 width = info(got.type).bytes;
    for (u64 i = 0; i < want.count(); ++i) {
        if (isEqual(i * width, width)) continue;
        const Element element = compareElement(got, want, i);
        comparison.maxError = worse(comparison.maxError, element.difference);
        if (isClose(element.difference, element.want, tolerance)) continue;
        comparison.correct = false;
        if (comparison.wrongCount++ == 0)
            comparison.first =
                Comparison::First{.buffer = want.name, .index = i, .got = element.got, .want = element.want};
    }
}

Comparison compare(const Experiment& experiment, const std::map<u32, Buffer>& reference,
                   std::span<const Buffer> results) {
    Comparison comparison;
    for (const auto& [index, want] : reference)
        compareBuffer(comparison, results[index], want,
                      isReal(want.type) ? experiment.variant->buffers[index].tolerance : std::nullopt);
    return comparison;
}

}  // namespace lockstep::catalog
