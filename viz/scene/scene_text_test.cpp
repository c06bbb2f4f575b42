// What a clipboard gets of a picture.
#include "viz/scene/scene_text.h"

#include <gtest/gtest.h>

namespace lockstep::viz {
namespace {

TEST(SceneTextTest, LinesAreRowsAndTextsColumns) {
    Scene scene;
    scene.marks = {TextMark{{200, 40}, "8"},         TextMark{{10, 20}, "metric"},
                   TextMark{{200, 21}, "value", 11}, TextMark{{10, 40}, "sectors"},
                   ClipMark{Rect{0, 50, 100, 10}},   TextMark{{10, 55}, "seen"},
                   TextMark{{10, 70}, "hidden"},     ClipMark{}};
    scene.sentence = "Eight sectors.";
    EXPECT_EQ(tableText(scene), "metric\tvalue\nsectors\t8\nseen\nEight sectors.\n");
    EXPECT_EQ(tableText(Scene{}), "");
    scene.keys = {Rect{0, 50, 100, 10}};
    EXPECT_EQ(tableText(scene), "metric\tvalue\nsectors\t8\nEight sectors.\n")
        << "a key to the marks means nothing without them";
}

}  // namespace
}  // namespace lockstep::viz
