// One sentence for two runs: only what the recorded addresses, or the threads that add, prove.
#include "viz/compare/compare_explanation.h"

#include "viz/compare/comparison.h"
#include "viz/scene/fonts.h"
#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

namespace lockstep::viz {
namespace {

class CompareExplanationTest : public testing::Test {
protected:
    void SetUp() override {
        Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
        ASSERT_TRUE(fonts) << describe(fonts.error());
        fonts_.emplace(std::move(*fonts));
    }
    std::string say(const run::Run& a, const run::Run& b, const Cursor& cursor, std::string_view view,
                    Language language = Language::English,
                    const model::Profile& profile = model::defaultProfile()) const {
        const ComparedRun beside{b, tied(a, cursor, b, Tie::Phase), profile};
        const ViewInput in{.run = a,
                           .cursor = cursor,
                           .profile = profile,
                           .size = {900, 600},
                           .language = language,
                           .metrics = *fonts_,
                           .compared = &beside};
        return compareExplanation(in, *findView(view)).value_or("");
    }
    std::optional<Fonts> fonts_;
};

Cursor at(Dim3 block, u32 step) {
    return {.launch = {}, .block = block, .warp = Warp{0}, .lane = Lane{0}, .step = step};
}

TEST_F(CompareExplanationTest, OfAColumnIsThePitchOfItsRows) {
    const run::Run column = columnRead(32), padded = columnRead(33);
    EXPECT_EQ(
        say(column, padded, at({1, 0, 0}, 1), "banks"),
        "Both read shared memory with 32 lanes, one word each. In A neighboring lanes are 32 words "
        "apart, so all words are in bank 0: 32 wavefronts. "
        "In B neighboring lanes are 33 words apart, so each word is in a bank of its own: 1 wavefront.");
    EXPECT_EQ(
        say(column, padded, at({1, 0, 0}, 1), "banks", Language::Chinese),
        "两侧都用 32 个通道读取共享内存，每个通道一个字。A 中相邻通道的字下标相差 32，因此所有字都落在存储体 "
        "0：32 个波前。B 中相邻通道的字下标相差 33，因此各字落在不同的存储体：1 个波前。");
    EXPECT_EQ(say(column, column, at({1, 0, 0}, 1), "banks"), "") << "nothing differs";
    EXPECT_EQ(say(column, padded, at({1, 0, 0}, 1), "sectors"), "") << "that view is about global memory";
    EXPECT_EQ(say(column, padded, at({1, 0, 0}, 1), "lanes"), "");
}

TEST_F(CompareExplanationTest, OldDevicesHaveTheirOwnBanks) {
    const model::Profile* old = model::findProfile("cc10");
    ASSERT_TRUE(old);
    EXPECT_EQ(say(columnRead(32), columnRead(33), at({1, 0, 0}, 1), "banks", Language::English, *old),
              "Both read shared memory with 32 lanes, one word each. In A neighboring lanes are 32 words "
              "apart, so all words are in bank 0: 32 wavefronts. "
              "In B neighboring lanes are 33 words apart, so the words share 16 banks: 2 wavefronts.");
}

TEST_F(CompareExplanationTest, OfAStrideIsHowFarNeighborsAreApart) {
    EXPECT_EQ(say(stridedCopy(8), stridedCopy(1), at({0, 0, 0}, 1), "sectors"),
              "Both read global memory with 32 lanes, 4 bytes each. In A neighboring lanes are 32 bytes "
              "apart: 32 sectors. In B neighboring lanes are 4 bytes apart: 4 sectors.");
}

}  // namespace
}  // namespace lockstep::viz
