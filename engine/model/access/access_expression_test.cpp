#include "model/access/access_expression.h"

#include <gtest/gtest.h>

namespace lockstep::model {
namespace {

TEST(AccessExpression, ComputesAsCDoes) {
    struct Case {
        const char* text;
        s64 tid, value;
    };
    constexpr Case cases[] = {
        {"tid*2+1", 5, 11},
        {"tid", 31, 31},
        {"7", 3, 7},
        {"(tid & 15) * 17 + tid / 16", 20, 69},
        {"2 + 3 * 4", 0, 14},
        {"(2 + 3) * 4", 0, 20},
        {"10 - 4 - 3", 0, 3},
        {"100 / 10 / 5", 0, 2},
        {"-7 / 2", 0, -3},
        {"-7 % 3", 0, -1},
        {"1 << 4 + 1", 0, 32},
        {"1 << 2 < 5", 0, 1},
        {"6 & 3 == 3", 0, 0},
        {"1 | 2 ^ 3 & 2", 0, 1},
        {"5 ^ 1", 0, 4},
        {"~0", 0, -1},
        {"!tid", 0, 1},
        {"!!tid", 9, 1},
        {"- - 3", 0, 3},
        {"+tid", 4, 4},
        {"tid < 16 ? tid : 31 - tid", 20, 11},
        {"tid < 16 ? tid : 31 - tid", 3, 3},
        {"tid ? tid > 5 ? 2 : 1 : 0", 6, 2},
        {"tid ? tid > 5 ? 2 : 1 : 0", 0, 0},
        {"tid && 32 / tid", 0, 0},
        {"tid == 0 || 32 / tid > 4", 0, 1},
        {"tid && 3", 2, 1},
        {"tid >= 4 && tid <= 6", 6, 1},
        {"tid != 6", 6, 0},
        {"0x1F", 0, 31},
        {"0b101", 0, 5},
        {"017", 0, 15},
        {"3u + 4UL", 0, 7},
        {"-16 >> 2", 0, -4},
        {"threadIdx.x ^ 1", 6, 7},
        {"\ttid *\t4 ", 2, 8},
        {"9223372036854775807 + 1", 0, -9223372036854775807 - 1},
        {"(-9223372036854775807 - 1) / -1", 0, -9223372036854775807 - 1},
    };
    for (const Case& c : cases) {
        const Expected<AccessExpression> expression = AccessExpression::parse(c.text);
        ASSERT_TRUE(expression) << c.text << ": " << expression.error().message.english();
        const Expected<s64> value = expression->at(c.tid);
        ASSERT_TRUE(value) << c.text;
        EXPECT_EQ(*value, c.value) << c.text << " at " << c.tid;
    }
}

TEST(AccessExpression, SaysWhatIsWrongAndWhere) {
    struct Case {
        const char* text;
        u32 column;
        const char* message;
    };
    constexpr Case cases[] = {
        {"", 1, "the expression ends where a number, tid or '(' should be"},
        {"tid +", 6, "the expression ends where a number, tid or '(' should be"},
        {"tid tid", 5, "there is 't' where an operator should be"},
        {"(tid + 1", 9, "the expression ends where ')' should be"},
        {"tid ? 1", 8, "the expression ends where ':' of '? :' should be"},
        {"tid $ 1", 5, "there is '$' where an operator should be"},
        {"tid = 1", 5, "there is '=' where an operator should be"},
        {"width * tid", 1,
         "'width' is not known here: the only names are tid and threadIdx.x, the lane's number from 0 to 31"},
        {"1 + 2.5", 5, "'2.5' is not a whole number of at most 63 bits"},
        {"0xfffffffffffffffff", 1, "'0xfffffffffffffffff' is not a whole number of at most 63 bits"},
    };
    for (const Case& c : cases) {
        const Expected<AccessExpression> expression = AccessExpression::parse(c.text);
        ASSERT_FALSE(expression) << c.text;
        EXPECT_EQ(expression.error().message.english(), c.message);
        EXPECT_EQ(expression.error().place.column, c.column) << c.text;
    }
    EXPECT_EQ(AccessExpression::parse("32 / (tid - 3)")->at(3).error().message.english(),
              "division by zero where tid is 3");
    EXPECT_EQ(AccessExpression::parse("1 % tid")->at(0).error().place.column, 3u);
    EXPECT_EQ(AccessExpression::parse("1 << tid * 9")->at(8).error().message.english(),
              "shift by 72 where tid is 8: 0 to 63 are possible");
}

TEST(AccessExpression, SurvivesLongAndDeepTexts) {
    EXPECT_FALSE(AccessExpression::parse(std::string(100000, '(')));
    EXPECT_FALSE(AccessExpression::parse(std::string(1000, '(')));
    EXPECT_FALSE(AccessExpression::parse(std::string(1000, '-')));
    std::string sum = "1";
    while (sum.size() < 990)
        sum += "+1";
    EXPECT_EQ(*AccessExpression::parse(sum)->at(0), s64(sum.size() / 2 + 1));
}

}  // namespace
}  // namespace lockstep::model
