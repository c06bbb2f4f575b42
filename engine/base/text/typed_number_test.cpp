#include "base/text/typed_number.h"

#include <gtest/gtest.h>

#include <limits>

namespace lockstep {
namespace {

TEST(TypedNumber, IsReadAsItIsMeant) {
    struct Case {
        const char* text;
        s64 number;
    };
    constexpr Case cases[] = {{"0", 0},
                              {"1000000", 1000000},
                              {"007", 7},
                              {"1,000,000", 1000000},
                              {"12,345", 12345},
                              {"16M", 16 << 20},
                              {"16 M", 16 << 20},
                              {" 16m ", 16 << 20},
                              {"64K", 64 << 10},
                              {"64Ki", 64 << 10},
                              {"48 KiB", 48 << 10},
                              {"2G", s64{2} << 30},
                              {"1.5K", 1536},
                              {"2^20", 1 << 20},
                              {"2 ** 10", 1024},
                              {"10^0", 1},
                              {"1e6", 1000000},
                              {"1.5e3", 1500},
                              {"1E+3", 1000},
                              {"64*1024", 65536},
                              {"3 × 1,024", 3072},
                              {"2^10*2^10", 1 << 20},
                              {"4K*4", 16384},
                              {"-3", -3},
                              {"9223372036854775807", std::numeric_limits<s64>::max()},
                              {"1^99", 1},
                              {"0^99", 0}};
    for (const Case& c : cases)
        EXPECT_EQ(typedNumber(c.text), c.number) << c.text;
}

TEST(TypedNumber, IsNoneWhereItIsNotSure) {
    for (const char* text :
         {"",         " ",     "abc",          "1,5", "1,00",        "1,0000",
          "1000,000", ",100",  "1.5",          "1e",  "1e-3",        "16T",
          "16KB",     "16MM",  "2^",           "^2",  "2^-1",        "64*",
          "*2",       "1 000", "0x10",         "1+1", "12 elements", "9223372036854775808",
          "2^63",     "10^99", "99999999999G", "--1", "1.",          "1.00000000000000000001K"})
        EXPECT_EQ(typedNumber(text), std::nullopt) << text;
}

TEST(TypedNumber, InAListHasNoCommas) {
    EXPECT_EQ(typedNumberInList("2^10"), 1024);
    EXPECT_EQ(typedNumberInList("1,024"), std::nullopt);
    EXPECT_EQ(typedNumberInList("024"), std::nullopt) << "of 1,024, most likely";
    EXPECT_EQ(typedNumberInList("0"), 0);
}

}  // namespace
}  // namespace lockstep
