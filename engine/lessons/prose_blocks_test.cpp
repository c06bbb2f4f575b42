#include "lessons/prose_blocks.h"

#include <gtest/gtest.h>

namespace lockstep::lessons {
namespace {

std::string notShown(std::string_view text) {
    std::string all;
    for (const NotShown& part : notShownIn(text))
        all += std::to_string(part.line) + ": " + part.message.english() + "\n";
    return all;
}

TEST(ProseBlocks, LinksAreFoundOutsideOfCode) {
    EXPECT_EQ(withPlainLinks("See [the guide](https://a.org/b) and [mail](mailto:x@y), not `[c](http://d)`."),
              "See the guide (https://a.org/b) and mail (mailto:x@y), not `[c](http://d)`.");
    EXPECT_EQ(withPlainLinks("`M[i](j)` and M[i] (j) and [here](other.md)"),
              "`M[i](j)` and M[i] (j) and [here](other.md)");
}

TEST(ProseBlocks, ATableHasItsHeadsAndAsManyCellsInEachRow) {
    const std::string_view lines[] = {"| a | `b|c` |", "|---|:-:|", "| d |", "| e | f | g |"};
    const std::optional<Table> table = tableOf(lines);
    ASSERT_TRUE(table);
    EXPECT_EQ(table->rows, (std::vector<std::vector<std::string>>{{"a", "`b|c`"}, {"d", ""}, {"e", "f"}}));
    EXPECT_FALSE(tableOf(std::span(lines).first(2))) << "no rows";
    EXPECT_FALSE(tableOf(std::span(lines).last(2))) << "no heads";
}

TEST(ProseBlocks, WhatIsNotShownIsFoundWithItsLine) {
    EXPECT_EQ(notShown("A text.\n\n| a | b |\n|---|---|\n| c | d |\n\n[x](https://y.z)\n- an item\n"), "");
    EXPECT_EQ(notShown("```\n| a |\n# define\n> x\n```\n`![a](b)` # and C#\n"), "") << "code";
    EXPECT_EQ(notShown("a\n\n![a picture](b.png)\n### More\n> said\n[here](other.md)\n\n| a |\n| b |\n"),
              "2: an image is not shown: the step's view is its picture\n"
              "3: a heading within a step is not shown as one\n"
              "4: a quotation is not shown as one\n"
              "5: a link is not shown as one unless its address begins with https://, http:// or mailto:\n"
              "7: this is no table: it needs a row of heads, a line such as |---|---|, and rows\n");
}

}  // namespace
}  // namespace lockstep::lessons
