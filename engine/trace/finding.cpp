#include "trace/finding.h"

#include "base/check.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

namespace lockstep::trace {
namespace {

constexpr std::string_view kAssertion = "assertion ", kExited = " exited", kNotInMask = " not in the mask";

struct StopDetail {
    StopReason reason;
    std::string_view detail;
};
constexpr StopDetail kStopDetails[] = {{StopReason::TimeLimit, ""},
                                       {StopReason::Cancelled, "cancelled"},
                                       {StopReason::Trap, "trap"},
                                       {StopReason::Recursion, "calls nested too deeply"},
                                       {StopReason::NotCooperative, "not a cooperative launch"}};

constexpr std::string_view kImageDetails[] = {"no object",     "destroyed", "freed",     "not a texture",
                                              "not a surface", "outside",   "misaligned"};

// Followed by the lines of malloc() and free().
constexpr std::string_view kHeapDetails[] = {"",       "freed twice", "not of malloc", "within malloc",
                                             "malloc", "after free",  "no room",       "not freed"};

}  // namespace

std::string_view nameOf(FindingKind kind) {
    constexpr std::string_view names[] = {
        "out_of_bounds",    "misaligned",      "uninitialized_read", "race",         "divergent_barrier",
        "warp_synchronous", "invalid_address", "division_by_zero",   "limit",        "truncated",
        "invalid_texture",  "invalid_free",    "heap_remark",        "inactive_lane"};
    CHECK_LT(std::size_t(kind), std::size(names), "every kind of finding has a name");
    return names[std::size_t(kind)];
}

StopReason stopReasonOf(const Finding& finding) {
    if (finding.detail.starts_with(kAssertion)) return StopReason::Assertion;
    const auto* const found = std::ranges::find(kStopDetails, finding.detail, &StopDetail::detail);
    return found == std::end(kStopDetails) ? StopReason::Other : found->reason;
}

std::string detailOf(StopReason reason, std::string_view condition) {
    if (reason == StopReason::Assertion) return std::string(kAssertion).append(condition);
    const auto* const found = std::ranges::find(kStopDetails, reason, &StopDetail::reason);
    CHECK(found != std::end(kStopDetails), "every other reason has words of its own");
    return std::string(found->detail);
}

std::string_view conditionOf(const Finding& finding) {
    return std::string_view(finding.detail).substr(kAssertion.size());
}

ImageFault imageFaultOf(const Finding& finding) {
    for (std::size_t i = 0; i < std::size(kImageDetails); ++i)
        if (std::string_view(finding.detail).starts_with(kImageDetails[i])) return ImageFault(i);
    return ImageFault::NoObject;
}

std::string detailOf(ImageFault fault, std::string_view where) {
    std::string detail(kImageDetails[std::size_t(fault)]);
    if (!where.empty()) detail.append(": ").append(where);
    return detail;
}

HeapFacts heapFactsOf(const Finding& finding) {
    const std::string_view detail = finding.detail;
    for (std::size_t i = 1; i < std::size(kHeapDetails); ++i) {
        const std::string_view word = kHeapDetails[i];
        HeapFacts facts{.fault = HeapFault(i)};
        if (detail.starts_with(word) && detail.substr(word.size()).starts_with(": ") &&
            std::sscanf(finding.detail.c_str() + word.size(), ": %u, %u", &facts.allocatedIn,
                        &facts.freedIn) == 2)
            return facts;
    }
    return {};
}

std::string detailOf(const HeapFacts& facts) {
    return std::string(kHeapDetails[std::size_t(facts.fault)]) + ": " + std::to_string(facts.allocatedIn) +
           ", " + std::to_string(facts.freedIn);
}

InactiveSource inactiveSourceOf(const Finding& finding) {
    InactiveSource source{.hasExited = finding.detail.ends_with(kExited)};
    std::from_chars(finding.detail.data(), finding.detail.data() + finding.detail.size(), source.lane);
    return source;
}

std::string detailOf(InactiveSource source) {
    return std::to_string(source.lane).append(source.hasExited ? kExited : kNotInMask);
}

std::string_view whereOutside(const Finding& finding) {
    const std::string_view detail = finding.detail;
    const std::size_t colon = detail.find(": ");
    return colon == std::string_view::npos ? std::string_view{} : detail.substr(colon + 2);
}

}  // namespace lockstep::trace
