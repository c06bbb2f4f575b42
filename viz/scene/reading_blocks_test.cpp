// In which order the texts of a page are read.
#include "viz/scene/reading_blocks.h"

#include <gtest/gtest.h>

namespace lockstep::viz {
namespace {

using Rows = std::vector<std::vector<std::string>>;

// Eight pixels a letter.
PlacedText at(f32 x, f32 y, const std::string& text) { return {text, x, x + 8 * f32(text.size()), y}; }

void addGrid(std::vector<PlacedText>& texts, f32 x, f32 y, const Rows& cells, f32 pitch = 20) {
    for (std::size_t row = 0; row < cells.size(); ++row)
        for (std::size_t column = 0; column < cells[row].size(); ++column)
            texts.push_back(at(x + 40 * f32(column), y + pitch * f32(row), cells[row][column]));
}

std::vector<Rows> rowsOf(const ReadingOrder& order) {
    std::vector<Rows> rows;
    for (const ReadingBlock& block : order.blocks)
        rows.push_back(block.rows);
    return rows;
}

const Rows kLeft{{"a", "1", "2"}, {"b", "3", "4"}, {"c", "5", "6"}};
const Rows kRight{{"d", "7", "8"}, {"e", "9", "0"}, {"f", "1", "3"}};

TEST(ReadingOrderTest, PanelsWithBaselinesOfTheirOwnAreReadOneAfterAnother) {
    std::vector<PlacedText> texts{at(0, 10, "above")};
    addGrid(texts, 0, 40, kLeft);
    addGrid(texts, 200, 52, kRight, 24);
    texts.push_back(at(0, 130, "below both of them, as far as that"));
    EXPECT_EQ(rowsOf(readingOrder(texts, {400, 200})),
              (std::vector<Rows>{{{"above"}}, kLeft, kRight, {{"below both of them, as far as that"}}}));
}

TEST(ReadingOrderTest, GridsBesideEachOtherAreFurtherApartThanTheirColumns) {
    std::vector<PlacedText> texts;
    addGrid(texts, 0, 40, kLeft);
    addGrid(texts, 180, 40, kRight);
    EXPECT_EQ(rowsOf(readingOrder(texts, {400, 200})), (std::vector<Rows>{kLeft, kRight}));
    std::vector<PlacedText> table;
    addGrid(table, 0, 40, kLeft);
    addGrid(table, 120, 40, kRight);
    EXPECT_EQ(rowsOf(readingOrder(table, {400, 200})).size(), 1u);
}

TEST(ReadingOrderTest, ALineBetweenTwoHalvesPartsThem) {
    const std::vector<PlacedText> texts{at(0, 40, "A"), at(200, 40, "B"), at(0, 60, "one"),
                                        at(200, 60, "two")};
    const Divider divider{150, 20, 160};
    EXPECT_EQ(rowsOf(readingOrder(texts, {400, 200})), (std::vector<Rows>{{{"A", "B"}, {"one", "two"}}}));
    const ReadingOrder order = readingOrder(texts, {400, 200}, {&divider, 1});
    EXPECT_EQ(rowsOf(order), (std::vector<Rows>{{{"A"}}, {{"one"}}, {{"B"}}, {{"two"}}}));
    ASSERT_EQ(order.areas.size(), 2u);
    EXPECT_TRUE(order.areas[0].contains({10, 100}) && order.areas[1].contains({250, 100}));
}

TEST(ReadingOrderTest, LinesOfCodeStayTogetherWithTheirIndentation) {
    std::vector<PlacedText> texts{
        at(0, 20, "As host code"),        at(0, 40, "void f()"), at(0, 60, "{"), at(32, 80, "for (;;) {"),
        at(64, 100, "g(1, 2, 3, 4, 5);"), at(32, 120, "}"),      at(0, 140, "}")};
    for (PlacedText& text : texts)
        text.isMono = text.y > 20;
    const ReadingOrder order = readingOrder(texts, {400, 200});
    ASSERT_EQ(order.blocks.size(), 2u);
    EXPECT_TRUE(order.blocks[1].isCode);
    EXPECT_EQ(
        order.blocks[1].rows,
        (Rows{{"void f()"}, {"{"}, {"    for (;;) {"}, {"        g(1, 2, 3, 4, 5);"}, {"    }"}, {"}"}}));
}

}  // namespace
}  // namespace lockstep::viz
