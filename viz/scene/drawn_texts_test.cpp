#include "viz/scene/drawn_texts.h"

#include "viz/scene/canvas.h"
#include "viz/scene/fonts.h"

#include <gtest/gtest.h>

namespace lockstep::viz {
namespace {

TEST(DrawnTextsTest, AParagraphIsOneTextAndTheNextOneAnother) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    Canvas canvas({400, 400}, *fonts);
    const TextStyle style;
    const std::string first = "each sentence of this one is read. Whole, however its lines are broken",
                      second = "gray = not used, in a line right below";
    const u32 lines = canvas.paragraph({20, 20}, 240, first, style);
    ASSERT_GT(lines, 1u);
    canvas.paragraph({20, 20 + f32(lines) * style.size * type::kLineHeight}, 300, second, style);
    const Scene scene = std::move(canvas).take("");
    const std::vector<DrawnText> texts = drawnTexts(scene, *fonts, Language::English);
    ASSERT_EQ(texts.size(), 2u);
    EXPECT_EQ(texts[0].text, first);
    EXPECT_EQ(texts[1].text, second);
}

}  // namespace
}  // namespace lockstep::viz
