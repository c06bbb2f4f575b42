#include "app/cli/options/help_text.h"

#include <gtest/gtest.h>

#include <sstream>

namespace lockstep::cli {
namespace {

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

std::string repeated(const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i)
        all += text;
    return all;
}

TEST(HelpText, AnIdeographIsTwoColumnsWide) {
    EXPECT_EQ(columnsOf("--set NAME"), 10u);
    EXPECT_EQ(columnsOf("--json 文件"), 11u);
    EXPECT_EQ(columnsOf("（默认：1）"), 11u);
    EXPECT_EQ(columnsOf("4 × 2 µs"), 8u);
}

TEST(HelpText, WordsBreakAtBlanksWithinAHundredColumns) {
    const std::vector<std::string> lines = linesOf(wrapped(repeated("seventy ", 20), 10));
    ASSERT_EQ(lines.size(), 3u);
    EXPECT_EQ(lines[0].size() + 10, 30u + 8 * 7 + 7);  // one more would end in column 101
    EXPECT_TRUE(lines[1].starts_with(std::string(30, ' ') + "seventy"));
}

TEST(HelpText, IdeographsBreakAnywhereButBeforePunctuation) {
    const std::vector<std::string> lines = linesOf(wrapped(repeated("线程束，", 20), 30));
    ASSERT_GE(lines.size(), 3u);
    for (const std::string& line : lines) {
        EXPECT_LE(columnsOf(line), 100u) << line;
        EXPECT_FALSE(line.starts_with(std::string(30, ' ') + "，")) << line;
    }
}

}  // namespace
}  // namespace lockstep::cli
