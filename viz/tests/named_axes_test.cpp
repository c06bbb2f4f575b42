// Blocks and threads are named by their axes in every view and both languages: no bare pair leaves open which
// number is x.
#include "explain/sentences/words.h"
#include "viz/scene/fonts.h"
#include "viz/testing/test_run.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <regex>

namespace lockstep::viz {
namespace {

TEST(NamedAxesTest, AreThoseOfTheLaunch) {
    EXPECT_EQ(explain::coordinates({3, 0, 0}, {8, 1, 1}), "3");
    EXPECT_EQ(explain::coordinates({1, 0, 0}, {2, 2, 1}), "(x 1, y 0)");
    EXPECT_EQ(explain::coordinates({1, 0, 2}, {2, 2, 4}), "(x 1, y 0, z 2)");
    EXPECT_EQ(explain::shortCoordinates({3, 0, 0}, {8, 1, 1}), "x3");
    EXPECT_EQ(explain::shortCoordinates({1, 0, 0}, {2, 2, 1}), "x1 y0");
    EXPECT_EQ(explain::extentsText({4, 2, 1}), "4 × 2 (x, y)");
    EXPECT_EQ(explain::extentsText({4, 1, 1}), "4");
}

TEST(NamedAxesTest, NoPictureHasABarePair) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    const std::regex pair(R"(\(\d+,\d+\)|（\d+,\d+）)");
    const run::Run run = tiledMatmul(3, 2, true);
    u32 seen = 0, named = 0;
    const auto look = [&](const std::string& text, std::string_view view) {
        ++seen;
        named += text.find("x 1, y ") != std::string::npos;
        EXPECT_FALSE(std::regex_search(text, pair)) << view << ": " << text;
    };
    for (const ViewRow& view : views()) {
        if (!view.needsRun) continue;
        for (const Language language : {Language::English, Language::Chinese})
            for (u32 step = 0; step < 36; step += 3) {
                const Cursor cursor{
                    .launch = {}, .block = {1, 0, 0}, .warp = {}, .lane = Lane{1}, .step = step};
                const Scene scene = view.build({.run = run,
                                                .cursor = cursor,
                                                .profile = model::defaultProfile(),
                                                .size = {1200, 760},
                                                .language = language,
                                                .metrics = *fonts});
                look(scene.caption, view.name);
                look(scene.sentence, view.name);
                for (const Mark& mark : scene.marks)
                    if (const auto* text = std::get_if<TextMark>(&mark)) look(text->text, view.name);
                for (const HitArea& area : scene.hits)
                    look(area.hit.text(), view.name);
            }
    }
    EXPECT_GT(seen, 1000u);
    EXPECT_GT(named, 50u) << "blocks and threads are named at all";
}

}  // namespace
}  // namespace lockstep::viz
