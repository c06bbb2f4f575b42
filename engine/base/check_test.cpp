#include "base/check.h"

#include "base/indices.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(CheckTest, WhatHoldsIsSilentAndReadOnce) {
    int read = 0;
    CHECK_EQ(++read, 1, "it is counted once");
    CHECK_LT(read, 2, "so it is");
    CHECK_NE(Warp{1}, Warp{2}, "indices compare");
    EXPECT_EQ(read, 1);
}

TEST(CheckTest, WhatDoesNotHoldSaysBothValues) {
    const unsigned long long most = ~0ull;
    EXPECT_DEATH(CHECK_EQ(-3, 4, "they are one"),
                 "check_test.cpp:[0-9]+: internal error: they are one \\(-3 == 4: -3 and 4\\)");
    EXPECT_DEATH(CHECK_LT(most, 7u, "it is small"), "\\(most < 7u: 18446744073709551615 and 7\\)");
    EXPECT_DEATH(CHECK_GE(0.5, 1.0, "it is enough"), "\\(0.5 >= 1.0: 0.5 and 1\\)");
    EXPECT_DEATH(CHECK_EQ(Lane{3}, Lane{5}, "the same lane"), ": 3 and 5\\)");
    EXPECT_DEATH(CHECK(most == 0, "it is none"), "internal error: it is none \\(most == 0\\)");
}

}  // namespace
}  // namespace lockstep
