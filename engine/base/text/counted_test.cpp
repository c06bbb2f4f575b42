#include "base/text/counted.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(CountedTest, NumbersAreGroupedByThousands) {
    struct Case {
        u64 number;
        const char* text;
    };
    for (const Case& c : {Case{0, "0"}, Case{999, "999"}, Case{1000, "1,000"}, Case{16384, "16,384"},
                          Case{1234567, "1,234,567"}})
        EXPECT_EQ(grouped(c.number), c.text);
}

TEST(CountedTest, OneIsSingularAndEverythingElseIsPlural) {
    EXPECT_EQ(counted(0, "lane"), "0 lanes");
    EXPECT_EQ(counted(1, "lane"), "1 lane");
    EXPECT_EQ(counted(2, "lane"), "2 lanes");
    EXPECT_EQ(counted(1, "branch", "branches"), "1 branch");
    EXPECT_EQ(counted(4096, "branch", "branches"), "4,096 branches");
    EXPECT_TRUE(isOne(1) && isOne(u64{1}));
    EXPECT_FALSE(isOne(0) || isOne(-1) || isOne(11));
}

}  // namespace
}  // namespace lockstep
