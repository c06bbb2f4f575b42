// Texts of two pictures that differ where everything else is alike.
#include "viz/compare/differing_texts.h"

#include "viz/scene/fonts.h"
#include "viz/scene/tokens.h"

#include <gtest/gtest.h>

namespace lockstep::viz {
namespace {

Scene pictureOf(const std::vector<std::string>& texts) {
    Scene scene{.size = {100, 100}, .marks = {}, .hits = {}, .caption = {}, .sentence = {}};
    for (std::size_t i = 0; i < texts.size(); ++i)
        scene.marks.emplace_back(TextMark{{10, f32(20 * i + 20)}, texts[i]});
    return scene;
}

TEST(DifferingTextsTest, AreThoseInOnePlaceWithOtherWords) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    const TextMetrics& metrics = *fonts;
    const DifferingTexts differing = differingTexts(pictureOf({"one", "two", "three", "4"}),
                                                    pictureOf({"one", "two", "three", "32"}), metrics);
    ASSERT_EQ(differing.first.size(), 1u);
    ASSERT_EQ(differing.second.size(), 1u);
    EXPECT_TRUE(differing.first[0].contains({12, 76}));
    EXPECT_GT(differing.second[0].width, differing.first[0].width);
    EXPECT_TRUE(
        differingTexts(pictureOf({"one", "two", "three", "4"}), pictureOf({"1", "2", "3", "4"}), metrics)
            .first.empty())
        << "all would be framed";
    Scene first = pictureOf({"one", "two", "three", "4"}), second = pictureOf({"one", "two", "three", "32"});
    for (Scene* scene : {&first, &second})
        scene->marks.emplace_back(RectMark{.rect = {4, 66, 24, 20}});
    EXPECT_TRUE(differingTexts(first, second, metrics).first.empty())
        << "a box that has no other number in its middle";
    first.keys = {{0, 70, 100, 20}};
    EXPECT_TRUE(differingTexts(first, second, metrics).first.empty()) << "what explains the marks";
    EXPECT_TRUE(differingTexts(pictureOf({"one", "two"}), pictureOf({"one"}), metrics).first.empty())
        << "another layout";
}

// Three cells in a row with a number each.
Scene cellsOf(const std::vector<std::string>& texts) {
    Scene scene{.size = {200, 100}, .marks = {}, .hits = {}, .caption = {}, .sentence = {}};
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const Rect cell{f32(30 * i), 20, 30, 30};
        scene.marks.emplace_back(RectMark{.rect = cell});
        const f32 size = 10;
        if (!texts[i].empty())
            scene.marks.emplace_back(TextMark{{cell.centre().x, cell.centre().y + size * type::kMiddle},
                                              texts[i],
                                              size,
                                              Face::Text,
                                              Align::Centre});
    }
    return scene;
}

TEST(DifferingTextsTest, CellsThatHoldSomethingElseAreFramed) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    const DifferingTexts differing =
        differingTexts(cellsOf({"1", "2", "3", "4", ""}), cellsOf({"1", "2", "7", "4", "5"}), *fonts);
    ASSERT_EQ(differing.first.size(), 2u) << "another number, and a number where the other has none";
    EXPECT_EQ(differing.first[0], (Rect{60, 20, 30, 30}));
    EXPECT_EQ(differing.first[1], (Rect{120, 20, 30, 30}));
    EXPECT_EQ(differing.second, differing.first);
    EXPECT_TRUE(differingTexts(cellsOf({"1", "2", "3"}), cellsOf({"4", "5", "3"}), *fonts).first.empty())
        << "most of them: frames would say nothing";
}

}  // namespace
}  // namespace lockstep::viz
