#include "viz/facts/unrolled.h"

#include "viz/scene/fonts.h"
#include "viz/testing/test_run.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

// A kernel of which one line has these instructions.
run::Run kernelOf(const std::string& line, const std::vector<std::string>& instructions,
                  const char* loop = "for (int k = 0; k < 3; ++k)") {
    RunBuilder b("sum.cu", "__global__ void kernel() {\n  " + std::string(loop) + "\n    " + line + "\n}\n");
    b.launch({1, 1, 1}, {32, 1, 1});
    b.block({0, 0, 0});
    b.step(0, b.instruction("mov.u32 %r1, 0", 2), LaneMask::all());
    for (const std::string& text : instructions)
        b.step(0, b.instruction(text, 3), LaneMask::all());
    b.step(0, b.instruction("ret", 4), LaneMask::all());
    return b.finish();
}

std::vector<std::string> thrice(std::vector<std::string> once) {
    std::vector<std::string> all;
    for (int i = 0; i < 3; ++i)
        all.insert(all.end(), once.begin(), once.end());
    return all;
}

const std::vector<std::string> kSum =
    thrice({"ld.shared.f32 %f1, [%r1]", "ld.shared.f32 %f2, [%r2]", "fma.rn.f32 %f3, %f1, %f2, %f3"});

TEST(UnrolledLinesTest, AnInstructionIsOfACopy) {
    const run::Run run = kernelOf("sum += a[k] * b[k];", kSum);
    UnrolledLines lines(*run.module);
    EXPECT_EQ(lines.copyAt(Pc{0}), std::nullopt);
    for (u32 i = 0; i < 9; ++i)
        EXPECT_EQ(lines.copyAt(Pc{1 + i}), (LineCopy{i / 3 + 1, 3})) << i;
    EXPECT_EQ(lines.copyAt(Pc{10}), std::nullopt);
    EXPECT_EQ(lines.copyAt(Pc{99}), std::nullopt);
}

TEST(UnrolledLinesTest, ThatStandsApartFromTheRestOfIt) {
    // All loads come first.
    std::vector<std::string> mixed = kSum;
    std::ranges::stable_sort(mixed, {}, [](const std::string& text) { return text.starts_with("fma"); });
    const run::Run run = kernelOf("sum += a[k] * b[k];", mixed);
    UnrolledLines lines(*run.module);
    EXPECT_EQ(lines.copyAt(Pc{3}), (LineCopy{2, 3})) << "two of six loads are of one copy";
    EXPECT_EQ(lines.copyAt(Pc{9}), (LineCopy{3, 3}));
}

TEST(UnrolledLinesTest, WhatTheTextAsksForIsNoCopy) {
    struct Case {
        const char* line;
        std::vector<std::string> instructions;
        const char* loop;
    };
    const Case cases[] = {
        {"sum += a[k] + a[k + 1] + a[k + 2];", thrice({"ld.shared.f32 %f1, [%r1]"}),
         "for (;;)"},                                                             // three loads are written
        {"big = all[k];", thrice({"ld.global.f32 %f1, [%rd1]"}), "// for each"},  // a structure, in no loop
        {"sum += a[k] * b[k];", {"ld.shared.f32 %f1, [%r1]", "ld.shared.f32 %f2, [%r2]"}, "for (;;)"},
        {"x = y;", {"mov.u32 %r1, %r2"}, "for (;;)"},
    };
    for (const Case& c : cases) {
        const run::Run run = kernelOf(c.line, c.instructions, c.loop);
        UnrolledLines lines(*run.module);
        EXPECT_EQ(lines.copyAt(Pc{1}), std::nullopt) << c.line;
    }
}

TEST(UnrolledLinesTest, TheLanesSayIt) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    const run::Run run = kernelOf("sum += a[k] * b[k];", kSum);
    const auto says = [&](f32 width, Language language, std::string_view words) {
        const Scene scene = findView("lanes")->build(
            {.run = run,
             .cursor = {.launch = {}, .block = {0, 0, 0}, .warp = {}, .lane = {}, .step = 5},
             .profile = model::defaultProfile(),
             .size = {width, 600},
             .language = language,
             .metrics = *fonts});
        return std::ranges::any_of(scene.marks,
                                   [&](const Mark& mark) {
                                       const auto* text = std::get_if<TextMark>(&mark);
                                       return text && text->text == words;
                                   }) &&
               std::ranges::any_of(scene.hits,
                                   [&](const HitArea& area) { return area.hit.hover.ends_with(words); });
    };
    for (const f32 width : {430.0f, 460.0f, 900.0f, 1280.0f}) {
        EXPECT_TRUE(says(width, Language::English, "copy 2 of 3, unrolled")) << width;
        EXPECT_TRUE(says(width, Language::Chinese, "循环体展开第 2 份，共 3 份")) << width;
    }
}

}  // namespace
}  // namespace lockstep::viz
