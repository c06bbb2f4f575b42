#include "explain/glossary/term_finder.h"

#include <gtest/gtest.h>

#include <string>

namespace lockstep::explain {
namespace {

// "warp: bank-conflict" for the ids in order.
std::string idsIn(std::string_view text, Language language = Language::English,
                  std::string_view following = {}) {
    std::string ids;
    for (const NamedTerm& named : termsIn(text, language, following)) {
        if (!ids.empty()) ids += ' ';
        ids += named.term->id;
    }
    return ids;
}

TEST(TermFinderTest, FindsWholeWordsInEnglishTheLongestFirst) {
    struct Case {
        const char *text, *ids;
    };
    for (const Case& c : {Case{"Warp 0 diverges: 8 lanes take the branch", "warp divergence lane"},
                          {"a bank conflict in bank 3", "bank-conflict bank"},
                          {"warps, warp's and WARP", "warp warp"},
                          {"the embankment of a gridlock", ""},
                          {"line 9 of the source", ""},
                          {"distinct 128-byte lines", "cache-line"},
                          {"an out-of-bounds store, out of bounds", "out-of-bounds load-store out-of-bounds"},
                          {"an upper bound", ""},
                          {"a half-warp, warp-wide", "half-warp"},
                          {"matmul/tiled, reduction/v1, lane.h, bank[3], kernel.warp", ""},
                          {"(L1 and L2)", "l1 l2"},
                          {"Tile. Barrier", "tile barrier"},
                          {"", ""}})
        EXPECT_EQ(idsIn(c.text), c.ids) << c.text;
}

TEST(TermFinderTest, FindsTheLongestNameInChinese) {
    struct Case {
        const char *text, *ids;
    };
    for (const Case& c : {Case{"线程束 0 分化：8 个通道跳转", "warp divergence lane"},
                          {"线程块的线程", "block thread"},
                          {"没有存储体冲突", "bank-conflict"},
                          {"3 个波前，分 2 波执行", "wavefront"},
                          {"越界元素与越界访问", "ghost out-of-bounds"},
                          {"L1 缓存的命中率", "l1 hit-rate"},
                          {"写回 P", ""}})
        EXPECT_EQ(idsIn(c.text, Language::Chinese), c.ids) << c.text;
}

TEST(TermFinderTest, ANameThatMayBeCutIsNone) {
    EXPECT_EQ(idsIn("three warps and a bank…"), "warp");
    EXPECT_EQ(idsIn("没有存储体…", Language::Chinese), "");
    EXPECT_EQ(idsIn("there is a bank", Language::English, "conflict here"), "");
    EXPECT_EQ(idsIn("there is a bank", Language::English, "of memory"), "bank");
    EXPECT_EQ(idsIn("有 4 个线程", Language::Chinese, "束在等待"), "");
    EXPECT_EQ(idsIn("有 4 个线程", Language::Chinese, "在等待"), "thread");
}

}  // namespace
}  // namespace lockstep::explain
