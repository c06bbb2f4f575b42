#include "run/sweep/sweep_range.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

namespace lockstep::run {
namespace {

std::string joined(std::string_view values) {
    const auto all = sweptValues("width", values);
    return all ? fmt::format("{}", fmt::join(*all, " ")) : all.error().message.english();
}

TEST(SweepRange, HasThreeForms) {
    struct Case {
        const char *values, *are;
    };
    constexpr Case cases[] = {
        {"64:4096:x2", "64 128 256 512 1024 2048 4096"},
        {"64:4095:x2", "64 128 256 512 1024 2048"},
        {"3:100:x10", "3 30"},
        {"0:32:+8", "0 8 16 24 32"},
        {"0:30:8", "0 8 16 24"},
        {"-4:4:+4", "-4 0 4"},
        {"5:5:x2", "5"},
        {"5:5:+1", "5"},
        {"1,2,32", "1 2 32"},
        {"32,1,32", "32 1"},
        {"i32,i64", "i32 i64"},
        {"7,",
         "--set width=7,: write the values of a sweep as FIRST:LAST:xFACTOR, FIRST:LAST:+STEP or A,B,C; "
         "for example --set width=64:4096:x2"},
        {"9223372036854775806:9223372036854775807:x2", "9223372036854775806"},
        {"9223372036854775806:9223372036854775807:+2", "9223372036854775806"},
    };
    for (const Case& c : cases)
        EXPECT_EQ(joined(c.values), c.are);
}

TEST(SweepRange, SaysWhatIsWrong) {
    const std::string forms =
        "write the values of a sweep as FIRST:LAST:xFACTOR, FIRST:LAST:+STEP or A,B,C; "
        "for example --set width=64:4096:x2";
    struct Case {
        std::string values, sentence;
    };
    const Case cases[] = {
        {"64:4096", forms},
        {"64:4096:", forms},
        {"64:4096:x", forms},
        {"64:4096:x2:x3", forms},
        {"a:4096:x2", forms},
        {"1.5:4:x2", forms},
        {":4:x2", forms},
        {"1,,2", forms},
        {"4096:64:x2", "the first value is greater than the last one"},
        {"64:4096:x1", "the factor must be 2 or more"},
        {"64:4096:x-2", "the factor must be 2 or more"},
        {"0:64:x2", "with a factor, the first value must be 1 or more"},
        {"0:64:+0", "the step must be 1 or more"},
        {"0:64:-1", "the step must be 1 or more"},
        {"0:1000:1", "a sweep takes at most 1,000 values"},
    };
    for (const Case& c : cases)
        EXPECT_EQ(joined(c.values), "--set width=" + c.values + ": " + c.sentence);
}

TEST(SweepRange, IsToldFromOneValue) {
    EXPECT_FALSE(isSwept("64"));
    EXPECT_FALSE(isSwept("i32"));
    EXPECT_TRUE(isSwept("1,2"));
    EXPECT_TRUE(isSwept("1:2:x2"));
    EXPECT_FALSE(isRange("1,2"));
}

}  // namespace
}  // namespace lockstep::run
