#include "app/state/text_search.h"

#include <gtest/gtest.h>

namespace lockstep::app {
namespace {

TEST(TextSearch, FindsAllPlacesByLineAndCharacter) {
    const std::string_view text = "x[i] = X[i];\n// 加 x 法 x\n\nxx";
    using Places = std::vector<TextPlace>;
    EXPECT_EQ(placesOf(text, "x", true), (Places{{0, 0, 1}, {1, 5, 1}, {1, 9, 1}, {3, 0, 1}, {3, 1, 1}}));
    EXPECT_EQ(placesOf(text, "X[I]", false), (Places{{0, 0, 4}, {0, 7, 4}}));
    EXPECT_EQ(placesOf(text, "X[I]", true), Places{});
    EXPECT_EQ(placesOf(text, "法", true), (Places{{1, 7, 1}}));
    EXPECT_EQ(placesOf("aaaa", "aa", true), (Places{{0, 0, 2}, {0, 2, 2}})) << "none over another";
    EXPECT_EQ(placesOf(text, "", true), Places{});
    EXPECT_EQ(placesOf("", "x", true), Places{});
    EXPECT_EQ(placesOf(text, ";\n", true), Places{}) << "within a line";
}

}  // namespace
}  // namespace lockstep::app
