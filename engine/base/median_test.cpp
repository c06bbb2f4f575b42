#include "base/median.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(Median, IsTheMiddleOrHalfwayBetweenTheTwoInTheMiddle) {
    EXPECT_EQ(median({7}), 7);
    EXPECT_EQ(median({3, 9, 1}), 3);
    EXPECT_EQ(median({8, 1, 4, 2}), 3);
}

}  // namespace
}  // namespace lockstep
