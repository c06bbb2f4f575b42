#include "trace/finding.h"

#include <gtest/gtest.h>

namespace lockstep::trace {
namespace {

TEST(StopReason, IsKeptByItsDetail) {
    using enum StopReason;
    for (StopReason reason : {TimeLimit, Cancelled, Trap, Recursion, NotCooperative, Assertion}) {
        Finding finding;
        finding.kind = FindingKind::Limit;
        finding.detail = detailOf(reason, "i < n");
        EXPECT_EQ(stopReasonOf(finding), reason) << finding.detail;
        if (reason == Assertion) {
            EXPECT_EQ(conditionOf(finding), "i < n");
        }
    }
    Finding other;
    other.detail = "the limit of 60 s is over";
    EXPECT_EQ(stopReasonOf(other), Other);
}

}  // namespace
}  // namespace lockstep::trace
