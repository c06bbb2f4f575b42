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

TEST(Prose, FiguresInCodeInBracesSmallOnesInWordsAndYearsAreNone) {
    EXPECT_EQ(figuresIn("[a page](https://x.org/2.0/34) `tile[32]` {8 * stride} L2 float4 in 2007, lane 0 "
                        "and lane 1, four `7.0` a hundred "
                        "几十 一百万 七 `1`\n```\nx = 77;\n```\n2. second"),
              "");
}

TEST(Prose, AFigureInWordsOrAloneInCodeIsTypedIn) {
    EXPECT_EQ(figuresIn("All `32` lanes, `4,096` words"), "`32`@0 `4,096`@0 ");
    EXPECT_EQ(figuresIn("sixteen times,\nthirty-two lanes"), "sixteen@0 thirty-two@1 ");
    EXPECT_EQ(figuresIn("１２个扇区，０ 或 １，\n８ 个"), "１２@0 ８@1 ");
    EXPECT_EQ(figuresIn("三十二个通道，十六个字节，二十个"), "三十二@0 十六@0 二十@0 ");
}

TEST(Prose, ExpressionsInBracesStandWithoutTheirWords) {
    std::string all;
    for (const Braced& one : bracedIn("{a} {b + 1:lane|lanes}\n`{c}`\n```\n{d}\n```"))
        all += one.expression + "@" + std::to_string(one.line) + " ";
    EXPECT_EQ(all, "a@0 b+1@0 c@1 ");
}

TEST(Prose, EnglishInAChineseTextIsFoundFromItsSixthWordOn) {
    EXPECT_FALSE(untranslatedIn("每个 warp 的 `a b c d e f g` 在 CUDA C++ Programming Guide 里"));
    const auto found = untranslatedIn("这是一句。\nHere {lanes:lane|lanes} of the warp are active today.");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->line, 1u);
    EXPECT_TRUE(found->text.starts_with("Here {lanes"));
    for (const char* text : {"Four cases", "看这里。\n\nThink of the warp.", "Order by wavefronts."})
        EXPECT_TRUE(untranslatedIn(text)) << text;
    for (const char* text :
         {"Brent", "`a b c`", "{lanes} `x` {words}", "```\nint a = b;\n```", "V2：Brent 定理"})
        EXPECT_FALSE(untranslatedIn(text)) << text;
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
