#include "viz/scene/canvas.h"

#include "viz/scene/fonts.h"

#include <gtest/gtest.h>

namespace lockstep::viz {
namespace {

TEST(CanvasTest, ChineseLinesNeitherEndInAnOpeningBracketNorBeginWithAClosingOne) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    const Canvas canvas({700, 400}, *fonts);
    constexpr std::string_view kText =
        "2.16 µs，主要是启动开销（NVIDIA H200 上的实测记录）。在本组中，“顺序寻址”用时最短（见“时间”视图）。";
    for (f32 width = 60; width < 700; width += 7) {
        std::string whole;
        for (const std::string& line : canvas.wrap(kText, width, {})) {
            for (const char* opening : {"（", "“"})
                EXPECT_FALSE(line.ends_with(opening)) << line << " at " << width;
            for (const char* closing : {"）", "”", "，", "。"})
                EXPECT_FALSE(line.starts_with(closing)) << line << " at " << width;
            whole += line;
        }
        std::erase(whole, ' ');
        std::string expected(kText);
        std::erase(expected, ' ');
        EXPECT_EQ(whole, expected);
    }
}

}  // namespace
}  // namespace lockstep::viz
