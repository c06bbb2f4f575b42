// The memory view where it is small: rows come before notes, and what has no room is announced and reached by scrolling.
#include <algorithm>

#include <gtest/gtest.h>

#include "viz/fonts.h"
#include "viz/test_times.h"
#include "viz/view.h"

namespace lockstep::viz {
namespace {

constexpr Rect kEverywhere{-1e6f, -1e6f, 2e6f, 2e6f};

// Texts that the scene's cuts leave whole, in the order in which they are drawn.
std::vector<std::string> seenTexts(const Scene& scene) {
    std::vector<std::string> seen;
    Rect clip = kEverywhere;
    for (const Mark& mark : scene.marks) {
        if (const auto* c = std::get_if<ClipMark>(&mark)) clip = c->rect.value_or(kEverywhere);
        if (const auto* text = std::get_if<TextMark>(&mark); text && text->at.y - text->size * 0.7f >= clip.y && text->at.y <= clip.bottom()) seen.push_back(text->text);
    }
    return seen;
}
bool contains(const std::vector<std::string>& texts, std::string_view text) {
    return std::ranges::any_of(texts, [&](const std::string& one) { return one.starts_with(text); });
}

class MemoryPage : public testing::Test {
protected:
    void SetUp() override {
        Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
        ASSERT_TRUE(fonts) << describe(fonts.error());
        fonts_.emplace(std::move(*fonts));
    }
    Scene draw(Size size, f32 pan = 0, Language language = Language::English) const {
        return findView("memory")->build({.run = timed_.run, .cursor = {.launch = {}, .block = {1, 1, 0}, .warp = Warp{0}, .lane = Lane{0}, .step = 7}, .profile = model::defaultProfile(), .size = size, .language = language, .metrics = *fonts_,
                                          .state = {.pan = {0, pan}}, .machines = &timed_.machines});
    }

    TimedRun timed_ = timedOnTwo();
    std::optional<Fonts> fonts_;
};

TEST_F(MemoryPage, AllRowsStandAboveTheFirstNoteInAPanelOfTheWindow) {
    const std::vector<std::string> seen = seenTexts(draw({430, 498}));
    for (const char* row : {"L1, loads", "Device memory, reads", "Device memory, writes"}) EXPECT_TRUE(contains(seen, row)) << row;
    EXPECT_TRUE(contains(seen, "more below: scroll")) << "the notes";
    EXPECT_FALSE(contains(seen, "Occupancy:"));
}

TEST_F(MemoryPage, RowsWithoutRoomAreCountedAndReachedByScrolling) {
    const std::vector<std::string> seen = seenTexts(draw({450, 250}));
    EXPECT_FALSE(contains(seen, "L1, loads"));
    EXPECT_TRUE(contains(seen, "3 more rows below: scroll")) << "of L1 and of device memory";
    EXPECT_TRUE(contains(seenTexts(draw({450, 250}, 0, Language::Chinese)), "下面还有 3 行，请滚动"));
    for (const char* text : {"L1, loads", "Device memory, reads", "Device memory, writes", "Occupancy:", "It cannot take less than", "Beside it: on an"}) {
        bool found = false;
        for (f32 pan = 0; pan > -900 && !found; pan -= 48) found = contains(seenTexts(draw({450, 250}, pan)), text);
        EXPECT_TRUE(found) << text;
    }
    const std::vector<std::string> end = seenTexts(draw({450, 250}, -1e5f));
    EXPECT_TRUE(contains(end, "Beside it: on an")) << "scrolling ends with the last note";
    EXPECT_FALSE(contains(end, "more below"));
}

TEST_F(MemoryPage, WhatIsNotSeenAnswersNoMouse) {
    for (const f32 pan : {0.0f, -60.0f, -1e5f})
        for (const HitArea& hit : draw({450, 250}, pan).hits) {
            EXPECT_GE(hit.rect.y, 36);
            EXPECT_LE(hit.rect.bottom(), 250);
        }
}

TEST_F(MemoryPage, ARowSaysWhatItIsAndWhereItsFiguresAreFrom) {
    for (const Size size : {Size{920, 900}, Size{430, 498}}) {
        const Scene scene = draw(size);
        const auto rowOf = [&](std::string_view name) {
            return std::ranges::find_if(scene.hits, [&](const HitArea& area) { return area.hit.hover.starts_with(name); });
        };
        const auto loads = rowOf("L1, loads"), device = rowOf("Device memory, reads");
        ASSERT_NE(loads, scene.hits.end());
        ASSERT_NE(device, scene.hits.end());
        EXPECT_NE(loads->hit.hover.find("ncu: l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"), std::string::npos) << loads->hit.hover;
        EXPECT_NE(loads->hit.hover.find("worked out of others"), std::string::npos) << "what goes on";
        ASSERT_TRUE(loads->hit.go);
        const trace::WarpTrace& warp = timed_.run.recording.trace.find({}, loads->hit.go->block)->warps[loads->hit.go->warp.value];
        const trace::StoredAccess& access = warp.accesses[warp.steps[loads->hit.go->step].access];
        EXPECT_EQ(access.space, trace::Space::Global);
        EXPECT_EQ(access.kind, trace::AccessKind::Load);
        EXPECT_FALSE(device->hit.go) << "no instruction's own";
    }
}

TEST_F(MemoryPage, NothingIsLeftOutWhereThereIsRoom) {
    const std::vector<std::string> seen = seenTexts(draw({920, 900}));
    EXPECT_TRUE(contains(seen, "Device memory, writes"));
    EXPECT_TRUE(contains(seen, "Beside it: on an"));
    EXPECT_FALSE(std::ranges::any_of(seen, [](const std::string& text) { return text.find("below: scroll") != std::string::npos; }));
}

}  // namespace
}  // namespace lockstep::viz
