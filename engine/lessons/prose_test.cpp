#include "lessons/prose.h"

#include <gtest/gtest.h>

#include <string>

namespace lockstep::lessons {
namespace {

std::string figuresIn(std::string_view text) {
    std::string all;
    for (const TypedFigure& figure : typedFigures(text))
        all += std::string(figure.text) + "@" + std::to_string(figure.line) + " ";
    return all;
}

TEST(Prose, AFigureThatIsTypedInIsFoundWithItsLine) {
    EXPECT_EQ(figuresIn("It needs 8 wavefronts.\nThat is 24 more."), "8@0 24@1 ");
}

TEST(Prose, FiguresInCodeInBracesInWordsAndYearsAreNone) {
    EXPECT_EQ(
        figuresIn(
            "`tile[32]` {8 * stride} L2 float4 in 2007, lane 0 and lane 1\n```\nx = 77;\n```\n2. second"),
        "");
}

TEST(Prose, AllTextIsInOneStretchOrAnother) {
    constexpr std::string_view kTexts[] = {"", "a `b` c", "a `b", "```\nx\n```\n`", "\n\n`\n`x``y`"};
    for (const std::string_view text : kTexts) {
        std::string whole;
        for (const Stretch& stretch : stretchesOf(text))
            whole += stretch.text;
        EXPECT_EQ(whole, text);
    }
}

}  // namespace
}  // namespace lockstep::lessons
