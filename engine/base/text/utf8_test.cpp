// What is UTF-8 and what is not.
#include "base/text/utf8.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(Utf8, TellsWhereATextIsNot) {
    struct Case {
        std::string_view text;
        std::optional<std::size_t> bad;
        std::string_view repaired;
    };
    using namespace std::string_view_literals;
    const Case cases[] = {
        {"", {}, ""},
        {"plain", {}, "plain"},
        {"中文 é 😀", {}, "中文 é 😀"},
        {"\xEF\xBF\xBD", {}, "\xEF\xBF\xBD"},  // U+FFFD itself
        {"a\xE9z"sv, 1, "a\xEF\xBF\xBDz"},
        {"ab\xE4\xB8"sv, 2, "ab\xEF\xBF\xBD\xEF\xBF\xBD"},  // cut off
        {"\x80"sv, 0, "\xEF\xBF\xBD"},
    };
    for (const Case& c : cases) {
        EXPECT_EQ(firstNotUtf8(c.text), c.bad) << c.text;
        EXPECT_EQ(asUtf8(c.text), c.repaired) << c.text;
        EXPECT_FALSE(firstNotUtf8(asUtf8(c.text)));
    }
}

}  // namespace
}  // namespace lockstep
