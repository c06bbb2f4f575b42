#include "app/state/fuzzy.h"

#include <gtest/gtest.h>

namespace lockstep::app {
namespace {

TEST(FuzzyTest, FindsLettersInOrderInEveryLanguage) {
    EXPECT_TRUE(fuzzyScore("mmtb", "matmul/tiled-bounds"));
    EXPECT_TRUE(fuzzyScore("TILED", "matmul/tiled"));
    EXPECT_TRUE(fuzzyScore("bounds matmul", "matmul/tiled-bounds")) << "words in any order";
    EXPECT_TRUE(fuzzyScore("存冲", "下一次存储体冲突"));
    EXPECT_FALSE(fuzzyScore("冲存", "下一次存储体冲突"));
    EXPECT_FALSE(fuzzyScore("tiledx", "matmul/tiled"));
    EXPECT_FALSE(fuzzyScore("dd", "divergence")) << "a letter is not used twice";
    EXPECT_FALSE(fuzzyScore("mdb", "command for the database table")) << "scattered letters are no name";
    EXPECT_FALSE(fuzzyScore("a", ""));
    EXPECT_EQ(fuzzyScore("", "anything"), 0);
    EXPECT_EQ(fuzzyScore("  ", "anything"), 0);
    EXPECT_FALSE(fuzzyScore("\xff", "matmul"));
}

TEST(FuzzyTest, PrefersBeginningsOfWordsAndLettersSideBySide) {
    EXPECT_GT(fuzzyScore("tile", "matmul/tiled"), fuzzyScore("tile", "the first little element"));
    EXPECT_GT(fuzzyScore("nb", "Next bank conflict"), fuzzyScore("nb", "Run by number"));
    EXPECT_GT(fuzzyScore("bank", "Banks"), fuzzyScore("bank", "Next bank conflict"))
        << "the text that begins so";
    EXPECT_GT(fuzzyScore("v4", "reduction/v4"), fuzzyScore("v4", "divergence 4"));
}

}  // namespace
}  // namespace lockstep::app
