// Variants that have no room are reached with the wheel; of a narrow table rates go before factors.
#include "viz/scene/fonts.h"
#include "viz/scene/wheel.h"
#include "viz/testing/test_times.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

class TimesScrollTest : public testing::Test {
protected:
    void SetUp() override {
        Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
        ASSERT_TRUE(fonts) << describe(fonts.error());
        fonts_.emplace(std::move(*fonts));
    }
    Scene draw(Size size, f32 down) const {
        return findView("times")->build({.run = timed_.run,
                                         .cursor = {},
                                         .profile = model::defaultProfile(),
                                         .size = size,
                                         .metrics = *fonts_,
                                         .state = {.pan = {0, -down}},
                                         .machines = &timed_.machines,
                                         .titled = false});
    }
    static bool says(const Scene& scene, std::string_view text) {
        return std::ranges::any_of(scene.marks, [&](const Mark& mark) {
            const auto* words = std::get_if<TextMark>(&mark);
            return words && words->text.starts_with(text);
        });
    }
    TimedRun timed_ = timedMultiply();
    std::optional<Fonts> fonts_;
};

TEST_F(TimesScrollTest, RowsThatDoNotFitAreBelow) {
    ASSERT_EQ(findView("times")->wheel, Wheel::Scrolls);
    const Size low{700, 230};
    const Scene top = draw(low, 0);
    EXPECT_TRUE(says(top, "Naive"));
    EXPECT_FALSE(says(top, "Loads of four words"));
    const f32 most = top.panes.front().bottom() - low.height;
    ASSERT_GT(most, 0);
    const Scene end = draw(low, most);
    EXPECT_TRUE(says(end, "Loads of four words")) << "the last one";
    EXPECT_TRUE(says(draw(low, 10 * most), "Loads of four words")) << "there it ends";
    const Scene whole = draw({700, 700}, most);
    EXPECT_TRUE(says(whole, "Naive")) << "nothing is hidden, nothing scrolls";
    EXPECT_EQ(whole.panes.front().bottom(), 700);
}

// A panel of the window, where notes on how the run was timed would take many lines.
TEST_F(TimesScrollTest, RowsGoBeforeNotes) {
    for (const f32 width : {320.f, 380.f, 430.f, 480.f, 560.f})
        for (const f32 height : {300.f, 380.f, 420.f, 460.f, 500.f, 560.f})
            EXPECT_TRUE(says(draw({width, height}, 0), "Naive")) << width << " x " << height;
}

TEST_F(TimesScrollTest, FactorsStayLongerThanRates) {
    const Scene narrow = draw({500, 600}, 0);
    EXPECT_TRUE(says(narrow, "total"));
    EXPECT_FALSE(says(narrow, "GFLOP/s")) << "the bars say it";
    EXPECT_TRUE(says(draw({1000, 600}, 0), "GFLOP/s"));
}

// A lecture's table: kernel, kernel and copies, first execution, and the loop of the CPU, in the window's
// smallest full width.
TEST_F(TimesScrollTest, CopiesAndTheFirstExecutionStayLongerThanRates) {
    const Scene view = draw({1280, 720}, 0);
    for (const char* head : {"ms", "speedup", "total", "+ transfers", "first, ms"})
        EXPECT_TRUE(says(view, head)) << head;
    const Scene narrow = draw({500, 600}, 0);
    EXPECT_TRUE(says(narrow, "total"));
    EXPECT_FALSE(says(narrow, "first, ms")) << "the notes say it";
}

TEST_F(TimesScrollTest, LongNamesLeaveRoomForHowFastAVariantIsBesideTheFirst) {
    timed_.family->variants[1].title = {"Tiles without the first barrier (wrong result)",
                                        "没有第一个屏障的分块（结果错误）"};
    for (const f32 width : {430.0f, 460.0f, 500.0f}) {
        const Scene narrow = draw({width, 600}, 0);
        EXPECT_TRUE(says(narrow, "total")) << width;
        EXPECT_TRUE(says(narrow, "0.11×")) << width;
        EXPECT_TRUE(says(narrow, "9.60")) << width;
    }
}

}  // namespace
}  // namespace lockstep::viz
