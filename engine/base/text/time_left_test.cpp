#include "base/text/time_left.h"

#include "base/progress.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(TimeLeftTest, IsNotKnownAtOnceAndFollowsThePaceOfLate) {
    TimeLeft time;
    time.tell(0, 0);
    EXPECT_FALSE(time.left());
    time.tell(0.5, 0.1);
    EXPECT_FALSE(time.left()) << "too soon";
    time.tell(2, 0);
    time.tell(4, 0);
    EXPECT_FALSE(time.left()) << "it does not move";
    f64 seconds = 4, share = 0;
    for (; share < 0.1; share += 0.01)
        time.tell(seconds += 1, share);
    EXPECT_NEAR(*time.left(), 90, 10);
    for (; share < 0.5; share += 0.02)
        time.tell(seconds += 1, share);
    EXPECT_NEAR(*time.left(), 25, 2) << "it has become faster";
}

TEST(TimeLeftTest, BeginsAnewWhereTheWorkDoes) {
    TimeLeft time;
    time.tell(0, 0);
    time.tell(10, 0.5);
    EXPECT_NEAR(*time.left(), 10, 0.1);
    time.tell(11, 0);
    EXPECT_FALSE(time.left());
    time.tell(15, 0.1);
    EXPECT_NEAR(*time.left(), 36, 0.1);
}

TEST(TimeLeftTest, IsSaidWithTheDigitsOfAnEstimate) {
    EXPECT_EQ(leftText(0).english(), "a few seconds left");
    EXPECT_EQ(leftText(36.2).english(), "about 40 s left");
    EXPECT_EQ(leftText(61).english(), "about 2 min left");
    EXPECT_EQ(leftText(3 * 3600 - 1).english(), "about 3 h left");
}

TEST(ProgressTest, UnitsUnderWayCountForTheirSteps) {
    Progress progress;
    EXPECT_EQ(shareDone(progress), 0);
    progress.total = 4;
    progress.begun = 2;
    progress.steps = 500;
    EXPECT_EQ(shareDone(progress), 0) << "how long one is, is not known yet";
    progress.done = 1;
    progress.stepsOfDone = 400;
    EXPECT_DOUBLE_EQ(shareDone(progress), 1.25 / 4);
    progress.steps = 4000;
    EXPECT_DOUBLE_EQ(shareDone(progress), 0.5) << "no more than has begun";
    progress.restartAt(1);
    EXPECT_DOUBLE_EQ(shareDone(progress), 0.25);
}

}  // namespace
}  // namespace lockstep
