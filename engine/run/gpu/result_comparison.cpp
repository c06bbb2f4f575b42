#include "run/gpu/result_comparison.h"

#include "run/data_dependence.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

namespace lockstep::run {
namespace {

std::string_view elementOf(const Buffer& buffer, u64 element) {
    const u32 width = info(buffer.type).bytes;
    return {reinterpret_cast<const char*>(buffer.bytes.data()) + element * width, width};
}

// Counts the elements that differ; false if one differs by more than rounding.
bool isClose(const Buffer& a, const Buffer& b, ResultComparison& result) {
    bool isClose = true;
    for (u64 element = 0; element < a.count(); ++element) {
        if (elementOf(a, element) == elementOf(b, element)) continue;
        const f64 x = a.valueAt(element), y = b.valueAt(element), difference = std::abs(x - y);
        ++result.differing;
        if (std::isnan(difference) || std::isnan(result.largest))
            result.largest = std::numeric_limits<f64>::quiet_NaN();
        else
            result.largest = std::max(result.largest, difference);
        isClose =
            isClose && isReal(a.type) && difference <= kResultTolerance * std::max(std::abs(x), std::abs(y));
    }
    return isClose;
}

std::vector<std::string_view> sortedElements(const Buffer& buffer) {
    std::vector<std::string_view> elements;
    for (u64 element = 0; element < buffer.count(); ++element)
        elements.push_back(elementOf(buffer, element));
    std::ranges::sort(elements);
    return elements;
}

}  // namespace

ResultComparison compareResults(const ptx::Module& module, std::span<const Launch> launches,
                                std::span<const Buffer> emulated, std::span<const Buffer> measured) {
    ResultComparison result;
    std::vector<u32> far;
    for (u32 i = 0; i < emulated.size(); ++i)
        if (emulated[i].bytes != measured[i].bytes && !isClose(emulated[i], measured[i], result))
            far.push_back(i);
    if (far.empty()) return result;
    const std::vector<u32> ordered = dataDependenceOf(module, launches, emulated.size()).ordered;
    const bool isOrder = std::ranges::all_of(far, [&](u32 i) {
        return std::ranges::binary_search(ordered, i) &&
               sortedElements(emulated[i]) == sortedElements(measured[i]);
    });
    result.agreement = isOrder ? Agreement::InAnotherOrder : Agreement::Differ;
    return result;
}

}  // namespace lockstep::run
