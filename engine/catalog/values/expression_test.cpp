#include "catalog/values/expression.h"

#include <gtest/gtest.h>

namespace lockstep::catalog {
namespace {

const Values kValues{{"width", 1000}, {"tile", 16}, {"zero", 0}, {"huge", 9223372036854775807}};

TEST(Expression, ComputesAsCDoes) {
    struct Case {
        const char* text;
        s64 value;
    };
    constexpr Case cases[] = {
        {"42", 42},
        {" width ", 1000},
        {"1 + 2 * 3", 7},
        {"(1 + 2) * 3", 9},
        {"10 - 4 - 3", 3},
        {"100 / 7 / 2", 7},
        {"-7 / 2", -3},
        {"-7 % 2", -1},
        {"--3", 3},
        {"ceil_div(width, tile)", 63},
        {"ceil_div(-7, 2)", -3},
        {"ceil_div(7, -2)", -3},
        {"ceil_div(-7, -2)", 4},
        {"min(width, tile) + max(width, tile)", 1016},
        {"width % tile != 0", 1},
        {"width % tile == 0", 0},
        {"1 < 2 == 2 > 1", 1},
        {"3 <= 2 || 2 >= 3", 0},
        {"!width", 0},
        {"!zero && tile * tile <= 1024", 1},
        {"width > 500 ? 2 : 3", 2},
        {"zero ? 1 : zero ? 2 : 3", 3},
        {"zero != 0 && width / zero > 1", 0},
        {"zero == 0 || width / zero > 1", 1},
        {"zero ? width / zero : 5", 5},
    };
    for (const Case& c : cases) {
        const Expected<s64> value = evaluate(c.text, kValues);
        ASSERT_TRUE(value) << c.text << ": " << value.error().message.english();
        EXPECT_EQ(*value, c.value) << c.text;
    }
}

TEST(Expression, SaysWhatIsWrongAndWhere) {
    struct Case {
        const char *text, *message;
    };
    constexpr Case cases[] = {
        {"", "a number or a parameter is expected (column 1 of '')"},
        {"width +", "a number or a parameter is expected (column 8 of 'width +')"},
        {"(width", "')' is expected (column 7 of '(width')"},
        {"width)", "')' is not expected here (column 6 of 'width)')"},
        {"width $ 2", "'$' is not expected here (column 7 of 'width $ 2')"},
        {"1 ? 2", "':' is expected (column 6 of '1 ? 2')"},
        {"witdh", "there is no parameter 'witdh'; did you mean 'width'? (column 6 of 'witdh')"},
        {"sqrt(4)", "there is no function 'sqrt'; there are ceil_div, min and max (column 6 of 'sqrt(4)')"},
        {"min(4)", "',' is expected: min takes two numbers (column 6 of 'min(4)')"},
        {"width / zero", "division by zero (column 8 of 'width / zero')"},
        {"width % (tile - 16)", "division by zero (column 8 of 'width % (tile - 16)')"},
        {"huge + 1", "the result does not fit in 64 bits (column 7 of 'huge + 1')"},
        {"huge * 2", "the result does not fit in 64 bits (column 7 of 'huge * 2')"},
        {"(-huge - 1) / -1", "the result does not fit in 64 bits (column 14 of '(-huge - 1) / -1')"},
        {"9223372036854775808", "this number is too large (column 1 of '9223372036854775808')"},
    };
    for (const Case& c : cases) {
        const Expected<s64> value = evaluate(c.text, kValues);
        ASSERT_FALSE(value) << c.text;
        EXPECT_EQ(value.error().message.english(), c.message);
    }
}

TEST(Expression, DeepNestingIsRefusedNotFollowed) {
    for (const char* opening : {"(", "-", "!", "1?", "min("})
        for (const int times : {65, 100000}) {
            std::string text;
            for (int i = 0; i < times; ++i)
                text += opening;
            EXPECT_FALSE(evaluate(text + "1", kValues)) << opening;
        }
}

TEST(Expression, LongChainsAreRefusedNotFollowed) {
    std::string text = "1";
    for (int i = 0; i < 100000; ++i)
        text += "+1";
    EXPECT_FALSE(evaluate(text, kValues));
    EXPECT_EQ(*evaluate(text.substr(0, 801), kValues), 401);
}

TEST(Expression, ElementsAreOfResultsAlone) {
    EXPECT_EQ(evaluate("width[2]", kValues).error().message.english(),
              "'[' is not expected here (column 6 of 'width[2]')");
    EXPECT_FALSE(evaluate("sum(k, 2, k)", kValues));
}

TEST(Expression, NamesItsParametersEvenWhereTheyAreNotReached) {
    const Expected<std::set<std::string>> names = namesIn("a ? ceil_div(b, 0) : c / 0");
    ASSERT_TRUE(names);
    EXPECT_EQ(*names, (std::set<std::string>{"a", "b", "c"}));
    EXPECT_FALSE(namesIn("a b"));
}

}  // namespace
}  // namespace lockstep::catalog
