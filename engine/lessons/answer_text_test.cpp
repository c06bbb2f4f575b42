#include "lessons/answer_text.h"

#include <gtest/gtest.h>

namespace lockstep::lessons {
namespace {

TEST(AnswerText, ANumberMayHaveSeparatorsOfThousands) {
    EXPECT_EQ(numberIn("8"), 8);
    EXPECT_EQ(numberIn(" 1,024 "), 1024);
    EXPECT_EQ(numberIn("１２"), 12);  // as a Chinese keyboard gives them
    EXPECT_EQ(numberIn("+8"), 8);
    EXPECT_EQ(numberIn("+-8"), std::nullopt);
    EXPECT_EQ(numberIn("-3"), -3);
    EXPECT_EQ(numberIn("1,02"), std::nullopt);
    EXPECT_EQ(numberIn("eight"), std::nullopt);
    EXPECT_EQ(numberIn(""), std::nullopt);
    EXPECT_EQ(numberAmongWords("line 21"), 21);
    EXPECT_EQ(numberAmongWords("第21行"), 21);
    EXPECT_EQ(numberAmongWords("8 wavefronts"), 8);
    EXPECT_EQ(numberAmongWords("1,024 个"), 1024);
    EXPECT_EQ(numberAmongWords("-3"), -3);
    EXPECT_EQ(numberAmongWords("1.5"), std::nullopt);
    EXPECT_EQ(numberAmongWords("1/2"), std::nullopt);
    EXPECT_EQ(numberAmongWords("3 or 4"), std::nullopt);
    EXPECT_EQ(numberAmongWords("50%"), 50);
    EXPECT_EQ(numberAmongWords("none"), std::nullopt);
}

TEST(AnswerText, LanesAreRangesStridesAndSingleOnesInEitherPunctuation) {
    struct Case {
        const char* text;
        u32 bits;
    };
    constexpr Case cases[] = {{"0", 1},
                              {"0-3, 8", 0x10f},
                              {"0–3、8", 0x10f},
                              {"0-30/2", 0x55555555},
                              {"1 2 4", 0x16},
                              {"0-31", 0xffffffff},
                              {"none", 0},
                              {"无", 0},
                              {"{1, 3}", 0xa},
                              {"1 and 3", 0xa},
                              {"Lanes 1 and 3", 0xa},
                              {"[0-3]", 0xf},
                              {"lanes 0 to 3", 0xf},
                              {"1和3", 0xa},
                              {"通道 0 到 3", 0xf},
                              {"0..3", 0xf},
                              {"{}", 0}};
    for (const Case& c : cases) {
        const Expected<LaneMask> lanes = lanesIn(c.text);
        ASSERT_TRUE(lanes) << c.text << ": " << describe(lanes.error());
        EXPECT_EQ(lanes->bits, c.bits) << c.text;
    }
}

TEST(AnswerText, WhatIsNoLaneIsRefusedWithItsText) {
    for (const char* text : {"32", "-1", "3-1", "x", "0-", "0-4/0", "99999999999999999999", "{1", "1 or 3"})
        EXPECT_FALSE(lanesIn(text)) << text;
    EXPECT_EQ(describe(lanesIn("0-40").error()), "'0-40': they go from 0 to 31");
}

TEST(AnswerText, GroupsReadBackAsTheyAreWritten) {
    const std::vector<LaneMask> groups{{0xffff}, {0xff0000}, {0xff000000}};
    const Expected<std::vector<LaneMask>> read = groupsIn(textOf(groups));
    ASSERT_TRUE(read);
    EXPECT_EQ(*read, groups);
    EXPECT_EQ(*groupsIn("0-15；16-23 ｜ 24–31"), groups);
    EXPECT_EQ(*groupsIn("{0-15}, {16-23} and {24-31}"), groups);
}

TEST(AnswerText, WordsMayStandBetweenSigns) {
    EXPECT_EQ(wordsIn("a < b<c, d"), (std::vector<std::string>{"a", "b", "c", "d"}));
    EXPECT_EQ(wordsIn("a → b -> c"), (std::vector<std::string>{"a", "b", "c"}));
    EXPECT_TRUE(wordsIn("  ").empty());
}

}  // namespace
}  // namespace lockstep::lessons
