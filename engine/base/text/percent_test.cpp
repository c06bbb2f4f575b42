#include "base/text/percent.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(Percent, IsRounded) {
    EXPECT_EQ(percentOf(u64{32}, 48), "67");
    EXPECT_EQ(percentOf(u64{1}, 3), "33");
    EXPECT_EQ(percentOf(u64{1}, 3, 1), "33.3");
    EXPECT_EQ(percentOfShare(1.234), "123");
    EXPECT_EQ(percentOf(u64{1}, 8), "13") << "a half goes up";
    EXPECT_EQ(percentOf(u64{1}, 200), "1");
    EXPECT_EQ(percentOf(u64{199}, 200), "99.5");
    EXPECT_EQ(percentOf(u64{23}, 40), "58");
    EXPECT_EQ(wholePercentOf(2, 3), 67u);
}

TEST(Percent, IsAllOrNothingOnlyWhereThatIsSo) {
    EXPECT_EQ(percentOf(u64{7}, 7), "100");
    EXPECT_EQ(percentOf(u64{0}, 7, 1), "0");
    EXPECT_EQ(percentOf(u64{0}, 0), "0");
    EXPECT_EQ(percentOf(u64{997}, 1000), "99.7");
    EXPECT_EQ(percentOf(u64{1999}, 2000, 1), "99.95");
    EXPECT_EQ(percentOf(u64{3}, 1000), "0.3");
    EXPECT_EQ(percentOf(u64{1}, 5000), "0.02");
    EXPECT_EQ(wholePercentOf(999, 1000), 99u);
    EXPECT_EQ(wholePercentOf(1, 1000), 1u);
    EXPECT_EQ(wholePercentOf(0, 0), 0u);
}

}  // namespace
}  // namespace lockstep
