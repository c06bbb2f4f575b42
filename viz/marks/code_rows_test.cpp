// Where a line of code is broken, and that the cursor changes nothing about it.
#include "viz/marks/code_rows.h"

#include "viz/scene/fonts.h"
#include "viz/testing/test_run.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

using RowsOfCode = std::vector<std::string>;
// "..." before what goes on in a comment.
RowsOfCode textsOf(const std::vector<CodeRow>& rows) {
    RowsOfCode texts;
    for (const CodeRow& row : rows)
        texts.push_back((row.insideComment ? "..." : "") + row.text);
    return texts;
}

class CodeRows : public testing::Test {
protected:
    void SetUp() override {
        Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
        ASSERT_TRUE(fonts) << describe(fonts.error());
        fonts_.emplace(std::move(*fonts));
    }
    RowsOfCode rows(std::string_view line, u32 columns, CodeLanguage language = CodeLanguage::Cuda,
                    bool insideComment = false) const {
        const Canvas canvas({100, 100}, *fonts_);
        return textsOf(
            codeRows(canvas, line, language, insideComment,
                     canvas.width("0", {.size = type::kCode, .mono = true}) * (f32(columns) + 0.5f)));
    }
    std::optional<Fonts> fonts_;
};

TEST_F(CodeRows, BreakBehindOperatorsAndGoOnFurtherIn) {
    EXPECT_EQ(rows("  Mds[ty][tx] = M[Row * width + ph * T + tx];", 60),
              RowsOfCode{"  Mds[ty][tx] = M[Row * width + ph * T + tx];"});
    EXPECT_EQ(rows("  Mds[ty][tx] = M[Row * width + ph * T + tx];", 40),
              (RowsOfCode{"  Mds[ty][tx] = M[Row * width + ph * T +", "      tx];"}));
    EXPECT_EQ(rows("float sum = first(a, b, c) + second(d);", 30),
              (RowsOfCode{"float sum = first(a, b, c) +", "    second(d);"}));
    EXPECT_EQ(rows("\tfoo(aaaa, bbbb, cccc);", 16),
              (RowsOfCode{"    foo(aaaa,", "      bbbb,", "      cccc);"}))
        << "little room leaves little for blanks";
    EXPECT_EQ(rows("mad.lo.s32 %r1, %r2, %r3, %r4;", 22, CodeLanguage::Ptx),
              (RowsOfCode{"mad.lo.s32 %r1, %r2,", "    %r3, %r4;"}));
    EXPECT_EQ(rows("unsigned long long longName", 20), (RowsOfCode{"unsigned long long", "    longName"}))
        << "at any blank where there is no operator";
}

TEST_F(CodeRows, NeverBreakATokenOrADirective) {
    EXPECT_EQ(rows("say(\"one two three four five\");", 20),
              (RowsOfCode{"say(", "    \"one two three four five\");"}));
    EXPECT_EQ(rows("#define A_LONG_NAME a + b + c", 20).size(), 1u);
}

TEST_F(CodeRows, BreakACommentBetweenItsWords) {
    EXPECT_EQ(rows("// What does not exist counts as 0.0, which changes no sum", 20),
              (RowsOfCode{"// What does not", "...   exist counts as", "...   0.0, which",
                          "...   changes no sum"}));
    EXPECT_EQ(rows("still a comment, from above", 10, CodeLanguage::Cuda, true),
              (RowsOfCode{"...still a", "...comment,", "...from above"}));
    EXPECT_EQ(rows("x = 1;  // a comment that finds no room here", 20),
              (RowsOfCode{"x = 1;", "    // a comment", "...    that finds no", "...    room here"}))
        << "a comment begins a row";
    EXPECT_EQ(rows("x = 1;  // a comment that finds no room here", 11),
              (RowsOfCode{"x = 1;", "    // a", "...    comment", "...    that finds no room here"}))
        << "its sign stays with its first word, and the last row holds all that is left";
    EXPECT_EQ(rows("x = aaaaa + bbbbb + ccccc;  // a comment", 20),
              (RowsOfCode{"x = aaaaa + bbbbb +", "    ccccc;", "    // a comment"}));
    EXPECT_EQ(rows("x = aaaaa;  // a comment", 24), RowsOfCode{"x = aaaaa;  // a comment"});
}

TEST_F(CodeRows, TheLastRowHoldsAllThatIsLeft) {
    EXPECT_EQ(rows("a = bbbbbb + cccccc + dddddd + eeeeee + ffffff;", 12),
              (RowsOfCode{"a = bbbbbb +", "    cccccc +", "    dddddd +", "    eeeeee +", "    ffffff;"}));
    EXPECT_EQ(rows("a = bbbbbb + cccccc + dddddd + eeeeee + ffffff + gggggg;", 12),
              (RowsOfCode{"a = bbbbbb +", "    cccccc +", "    dddddd + eeeeee + ffffff + gggggg;"}))
        << "in few rows where more do not help";
    EXPECT_EQ(rows("            x = ccccccccccccccccccccccccccc;", 34),
              (RowsOfCode{"            x =", "    ccccccccccccccccccccccccccc;"}))
        << "further out where it needs the room";
}

TEST_F(CodeRows, WhatFindsNoRoomIsCutBehindATokenOrAWord) {
    const auto shown = [&](std::string_view text, f32 columns) {
        Canvas canvas({400, 40}, *fonts_);
        const f32 column = canvas.width("0", {.size = type::kCode, .mono = true});
        codeInRow(canvas, {0, 0, columns * column, type::kCodeLine}, 0, text, CodeLanguage::Cuda, false,
                  role(RoleKind::Ground));
        const Scene scene = std::move(canvas).take({});
        std::string all;
        for (const Mark& mark : scene.marks)
            if (const auto* one = std::get_if<TextMark>(&mark)) all += one->text + "|";
        return all;
    };
    EXPECT_EQ(shown("say(\"one two three\");", 16), "say|(|\"one two|…|");
    EXPECT_EQ(shown("#define LONG first", 16), "#define|LONG|…|");
    EXPECT_EQ(shown("oneVeryLongNameWithoutAnEnd", 12), "oneVeryLon|…|") << "nothing else can be done";
    EXPECT_EQ(shown("x = 1;", 12), "x = |1|;|");
}

// In a window too narrow for most of its lines but high enough for all of them, at two of a warp's steps.
TEST_F(CodeRows, OfTheSourceDoNotDependOnTheCursor) {
    const run::Run run = tiledMatmul(3, 2, true);
    const auto heights = [&](u32 step) {
        std::vector<f32> of;
        const Cursor cursor{.launch = {}, .block = {0, 0, 0}, .warp = Warp{0}, .lane = Lane{1}, .step = step};
        const Scene scene = findView("source")->build({.run = run,
                                                       .cursor = cursor,
                                                       .profile = model::defaultProfile(),
                                                       .size = {240, 4000},
                                                       .metrics = *fonts_});
        for (const HitArea& area : scene.hits)
            if (area.rect.x == 0 && area.rect.width == scene.size.width) of.push_back(area.rect.height);
        return of;
    };
    const std::vector<f32> first = heights(8);
    EXPECT_GT(std::ranges::count(first, 2 * type::kCodeLine), 0)
        << "a line of two rows is one place to point at";
    EXPECT_EQ(heights(20), first);
    EXPECT_EQ(heights(30), first);
}

}  // namespace
}  // namespace lockstep::viz
