// A picture as text, for those who do not see it.
#include "viz/scene/reading_text.h"

#include <gtest/gtest.h>

namespace lockstep::viz {
namespace {

class EightPixels : public TextMetrics {
public:
    f32 width(std::string_view text, f32, Face) const override { return 8 * f32(text.size()); }
};

Scene tableAndParagraph() {
    Scene scene;
    scene.marks = {TextMark{{10, 20}, "L1 and <shared>"},
                   TextMark{{10, 50}, "metric"},
                   TextMark{{200, 51}, "value", 11},
                   TextMark{{10, 70}, "sectors"},
                   TextMark{{200, 70}, "8"},
                   TextMark{{10, 90}, "wavefronts"},
                   TextMark{{10, 120}, "of the whole"},
                   TextMark{{108, 120}, "grid", 13, Face::TextBold},
                   ClipMark{Rect{0, 130, 100, 10}},
                   TextMark{{10, 170}, "hidden"},
                   ClipMark{}};
    scene.sentence = "Eight sectors.";
    scene.hits = {{{10, 60, 40, 10}, {.hover = "second"}},
                  {{10, 20, 40, 10}, {.hover = "first"}},
                  {{10, 80, 40, 10}, {.hover = "second"}}};
    return scene;
}

TEST(ReadingTextTest, TablesAreTablesAndTheRestStandsInReadingOrder) {
    const ReadingText text = readingText(tableAndParagraph(), EightPixels{}, Language::English, "Memory");
    EXPECT_EQ(asPlainText(text, Language::English),
              "Memory\nEight sectors.\n\nL1 and <shared>\n\nmetric      value\nsectors     8\n"
              "wavefronts\n\nof the whole grid\n\nDetails\n- first\n- second\n");
}

TEST(ReadingTextTest, APageHasItsLanguageAHeadingAndNoMarkOfItsTexts) {
    const ReadingText text = readingText(tableAndParagraph(), EightPixels{}, Language::Chinese, "Memory");
    const std::string page = asHtml(text, Language::Chinese, "lockstep a & b");
    EXPECT_TRUE(page.starts_with("<!DOCTYPE html>\n<html lang=\"zh-CN\">")) << page;
    for (const char* part :
         {"<h1>Memory</h1>", "<p>L1 and &lt;shared&gt;</p>",
          "<tr><th scope=\"col\">metric</th><th scope=\"col\">value</th></tr>",
          "<tr><td>sectors</td><td>8</td></tr>", "<li>second</li>", "<code>lockstep a &amp; b</code>"})
        EXPECT_NE(page.find(part), std::string::npos) << part << "\n" << page;
}

}  // namespace
}  // namespace lockstep::viz
