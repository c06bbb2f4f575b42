// Messages, numbers and lane lists as people read them; wrapping and cutting of texts.
#include "base/text/words.h"

#include "explain/numbers.h"
#include "viz/cursor/lookup.h"
#include "viz/messages.h"
#include "viz/scene/canvas.h"
#include "viz/scene/fonts.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lockstep::viz {
namespace {

// Every character half an em wide, Chinese ones whole.
struct FixedMetrics : TextMetrics {
    f32 width(std::string_view text, f32 size, Face) const override {
        f32 units = 0;
        for (const char c : text)
            units += u8(c) < 0x80 ? 0.5f : u8(c) >= 0xC0 ? 1.0f : 0.0f;
        return units * size;
    }
};

TEST(WordsTest, BothLanguagesTakeTheSameValues) {
    EXPECT_EQ(say(Language::English, message::kTileOf, 1, 3), "tile 1 of 3");
    EXPECT_EQ(say(Language::Chinese, message::kTileOf, 1, 3), "第 1 对分块（共 3 对）");
}

TEST(WordsTest, LanesAreListedAsRanges) {
    struct Case {
        u32 mask;
        const char* text;
    };
    for (const Case& c : {Case{0, ""}, Case{1, "0"}, Case{0xff, "0–7"}, Case{0b10110, "1, 2, 4"},
                          Case{0x80000001, "0, 31"}, Case{0xffffffff, "0–31"}})
        EXPECT_EQ(explain::lanesText({c.mask}, Language::English), c.text);
    EXPECT_EQ(explain::lanesText({0b10111}, Language::Chinese), "0–2、4");
}

TEST(WordsTest, ValuesFitTheirCells) {
    struct Case {
        f64 value;
        bool isFloat;
        u32 characters;
        const char* text;
    };
    const Case cases[] = {{2, true, 8, "2.0"},
                          {-1.5, true, 8, "-1.5"},
                          {104, true, 4, "104"},
                          {0.1f, true, 8, "0.1"},
                          {1e20, true, 8, "1e+20"},
                          {7, false, 8, "7"},
                          {123456789, false, 7, "123.46M"},
                          {19437, true, 7, "19437.0"},
                          {19437, true, 5, "19437"},
                          {19437, true, 4, "19k"},
                          {337525.25, true, 6, "337525"},
                          {337525.25, true, 5, "338k"},
                          {20000, false, 4, "20k"},
                          {-1234567, true, 6, "-1.23M"},
                          {1006599, true, explain::kInSentence, "1006599.0"},
                          {-1024, false, explain::kInSentence, "-1024"},
                          {123456789, false, explain::kInSentence, "123456789"},
                          {38.636623, true, explain::kInSentence, "38.63662"}};
    for (const Case& c : cases)
        EXPECT_EQ(explain::numberText(c.value, c.isFloat, c.characters), c.text);
    EXPECT_EQ(explain::numberText(std::nan(""), true), "NaN");
    EXPECT_EQ(explain::numberText(-INFINITY, true), "-inf");
}

TEST(WordsTest, LinesBreakBetweenWordsAndBetweenChineseCharacters) {
    const FixedMetrics metrics;
    const Canvas canvas({100, 100}, metrics);
    const TextStyle style{.size = 10};
    EXPECT_EQ(canvas.wrap("one two three", 40, style), (std::vector<std::string>{"one two", "three"}));
    EXPECT_EQ(canvas.wrap("线程束读取", 30, style), (std::vector<std::string>{"线程束", "读取"}));
    EXPECT_EQ(canvas.wrap("线程束，读取", 30, style), (std::vector<std::string>{"线程", "束，读", "取"}))
        << "no line begins with a comma";
    EXPECT_EQ(canvas.wrap("M[0][3] 不存在", 35, style), (std::vector<std::string>{"M[0][3]", "不存在"}));
    EXPECT_EQ(canvas.wrap("", 35, style), (std::vector<std::string>{""}));
}

TEST(WordsTest, ALineWithoutRoomKeepsTheSideOfItsAccess) {
    const std::string_view line = "out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];";
    EXPECT_EQ(explain::lineOrSide(line, false, true), line);
    EXPECT_EQ(explain::lineOrSide(line, false, false), "… = tile[threadIdx.x][threadIdx.y + j];");
    EXPECT_EQ(explain::lineOrSide(line, true, false), "out[(y + j) * rows + x] = …");
    EXPECT_EQ(explain::lineOrSide("sum += tile[k];", false, false), "… += tile[k];");
    EXPECT_EQ(explain::lineOrSide("if (a == b) f(tile[k]);", false, false), "if (a == b) f(tile[k]);")
        << "nothing is assigned";
}

TEST(WordsTest, TextsAreCutWithAnEllipsis) {
    const FixedMetrics metrics;
    const Canvas canvas({100, 100}, metrics);
    EXPECT_EQ(canvas.cut("wavefronts", 100, {.size = 10}), "wavefronts");
    EXPECT_EQ(canvas.cut("wavefronts", 30, {.size = 10}), "wave…");
    EXPECT_EQ(canvas.cut("线程束", 25, {.size = 10}), "线…");
    EXPECT_EQ(canvas.cut("wavefronts", 5, {.size = 10}), "");
}

TEST(WordsTest, FontsMeasureLatinAndChinese) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    EXPECT_NEAR(fonts->width("0000", 10, Face::Mono), 24, 0.01) << "JetBrains Mono is 0.6 em wide";
    EXPECT_NEAR(fonts->width("线程束", 10, Face::Text), 30, 0.01) << "Chinese characters are an em wide";
    EXPECT_NEAR(fonts->width("AVA", 10, Face::Text),
                2 * fonts->width("A", 10, Face::Text) + fonts->width("V", 10, Face::Text), 1e-4)
        << "no kerning";
    EXPECT_EQ(fonts->glyph(U'线', Face::Mono).font, 4u);
    EXPECT_EQ(fonts->glyph(U'线', Face::TextBold).font, 5u);
    EXPECT_FALSE(Fonts::load("nowhere"));
    EXPECT_GT(fonts->width("\xff\xc3", 10, Face::Text), 0) << "what is not UTF-8 is drawn as missing";
}

}  // namespace
}  // namespace lockstep::viz
