#include "base/text/escapes.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(Escapes, AreTakenBackAsTheyAreWritten) {
    struct Case {
        std::string plain, escaped;
    };
    const Case cases[] = {{"/home/a b/p%d.cu", "/home/a b/p%d.cu"},
                          {"加", R"(\345\212\240)"},
                          {R"(a"b\c)", R"(a\"b\\c)"},
                          {"tab\tline\n", R"(tab\tline\n)"},
                          {std::string("\x01\x7f\xff", 3), R"(\001\177\377)"},
                          {"", ""}};
    for (const auto& [plain, escaped] : cases) {
        EXPECT_EQ(withEscapes(plain), escaped);
        EXPECT_EQ(withoutEscapes(escaped), plain);
    }
    for (const char* other : {R"(a\)", R"(a\12)", R"(C:\Users)", R"(\400)"})
        EXPECT_EQ(withoutEscapes(other), other) << "a backslash that starts nothing stays";
}

}  // namespace
}  // namespace lockstep
