#include "trace/finding.h"

#include "base/check.h"

#include <algorithm>

namespace lockstep::trace {
namespace {

constexpr std::string_view kAssertion = "assertion ";

struct StopDetail {
    StopReason reason;
    std::string_view detail;
};
constexpr StopDetail kStopDetails[] = {{StopReason::TimeLimit, ""},
                                       {StopReason::Cancelled, "cancelled"},
                                       {StopReason::Trap, "trap"},
                                       {StopReason::Recursion, "calls nested too deeply"},
                                       {StopReason::NotCooperative, "not a cooperative launch"}};

}  // namespace

std::string_view nameOf(FindingKind kind) {
    constexpr std::string_view names[] = {
        "out_of_bounds",    "misaligned",      "uninitialized_read", "race",  "divergent_barrier",
        "warp_synchronous", "invalid_address", "division_by_zero",   "limit", "truncated"};
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

}  // namespace lockstep::trace
