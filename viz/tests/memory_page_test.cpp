// The memory view where it is small: rows come before notes, and what has no room is announced and reached by
// scrolling.
#include "viz/scene/fonts.h"
#include "viz/testing/test_times.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace lockstep::viz {
namespace {

constexpr Rect kEverywhere{-1e6f, -1e6f, 2e6f, 2e6f};

// Texts that the scene's cuts leave whole, in the order in which they are drawn.
std::vector<std::string> seenTexts(const Scene& scene) {
    std::vector<std::string> seen;
    Rect clip = kEverywhere;
    for (const Mark& mark : scene.marks) {
        if (const auto* c = std::get_if<ClipMark>(&mark)) clip = c->rect.value_or(kEverywhere);
        if (const auto* text = std::get_if<TextMark>(&mark);
            text && text->at.y - text->size * 0.7f >= clip.y && text->at.y <= clip.bottom())
            seen.push_back(text->text);
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
    Scene draw(Size size, f32 pan = 0, Language language = Language::English,
               const model::Profile& profile = model::defaultProfile()) const {
        return findView("memory")->build(
            {.run = timed_.run,
             .cursor = {.launch = {}, .block = {1, 1, 0}, .warp = Warp{0}, .lane = Lane{0}, .step = 7},
             .profile = profile,
             .size = size,
             .language = language,
             .metrics = *fonts_,
             .state = {.pan = {0, pan}},
             .machines = &timed_.machines});
    }

    TimedRun timed_ = timedOnTwo();
    std::optional<Fonts> fonts_;
};

TEST_F(MemoryPage, AllRowsStandAboveTheFirstNoteInAPanelOfTheWindow) {
    const std::vector<std::string> seen = seenTexts(draw({430, 498}));
    for (const char* row : {"L1, loads", "Device memory, reads", "Device memory, writes"})
        EXPECT_TRUE(contains(seen, row)) << row;
    EXPECT_TRUE(contains(seen, "more below: scroll")) << "the notes";
    EXPECT_FALSE(contains(seen, "Occupancy:"));
}

TEST_F(MemoryPage, SaysWhyThereAreNoCaches) {
    timed_.run.caches.reset();
    timed_.machines.clear(), timed_.run.measured.reset();
    const auto seenOf = [&](const char* profile) {
        return seenTexts(draw({1280, 720}, 0, Language::English, *model::findProfile(profile)));
    };
    EXPECT_TRUE(contains(seenOf("cc10"), "Compute capability 1.0 has no L1 and no L2 cache"));
    EXPECT_FALSE(contains(seenOf("cc10"), "L1, loads"));
    EXPECT_TRUE(
        contains(seenOf("cc80"), "Caches are simulated under the rules of compute capability 9.0 only"));
    EXPECT_TRUE(contains(seenOf("cc90"),
                         "The caches were not simulated: that was canceled or not asked for, or the run "
                         "makes more than 100 million requests"));
    timed_.run.emulated = false;
    EXPECT_TRUE(contains(seenOf("cc90"), "The run was stopped before its end"));
    timed_.run.traceSource = "recording";
    EXPECT_TRUE(contains(seenOf("cc90"), "A recording has no simulated caches"));
}

TEST_F(MemoryPage, RowsWithoutRoomAreCountedAndReachedByScrolling) {
    const std::vector<std::string> seen = seenTexts(draw({450, 250}));
    EXPECT_FALSE(contains(seen, "L1, loads"));
    EXPECT_TRUE(contains(seen, "3 more rows below: scroll")) << "of L1 and of device memory";
    EXPECT_TRUE(contains(seenTexts(draw({450, 250}, 0, Language::Chinese)), "下面还有 3 行，请滚动"));
    for (const char* text :
         {"L1, loads", "Device memory, reads", "Device memory, writes",
          "Theoretical occupancy:", "The kernel cannot take less than", "Beside it: on an"}) {
        bool found = false;
        for (f32 pan = 0; pan > -900 && !found; pan -= 48)
            found = contains(seenTexts(draw({450, 250}, pan)), text);
        EXPECT_TRUE(found) << text;
    }
    const std::vector<std::string> end = seenTexts(draw({450, 250}, -1e5f));
    EXPECT_TRUE(contains(end, "Beside it: on an")) << "scrolling ends with the last note";
    EXPECT_FALSE(contains(end, "more below"));
}

TEST_F(MemoryPage, WhatIsNotSeenAnswersNoMouse) {
    for (const f32 pan : {0.0f, -60.0f, -1e5f})
        for (const HitArea& hit : draw({450, 250}, pan).hits) {
            if (hit.rect.bottom() <= 36) continue;  // the head says what it has no room for
            EXPECT_GE(hit.rect.y, 36);
            EXPECT_LE(hit.rect.bottom(), 250);
        }
}

TEST_F(MemoryPage, ARowSaysWhatItIsAndWhereItsFiguresAreFrom) {
    for (const Size size : {Size{920, 900}, Size{430, 498}}) {
        const Scene scene = draw(size);
        const auto rowOf = [&](std::string_view name) {
            return std::ranges::find_if(
                scene.hits, [&](const HitArea& area) { return area.hit.hover.starts_with(name); });
        };
        const auto loads = rowOf("L1, loads"), device = rowOf("Device memory, reads");
        ASSERT_NE(loads, scene.hits.end());
        ASSERT_NE(device, scene.hits.end());
        EXPECT_NE(loads->hit.hover.find("ncu: l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"),
                  std::string::npos)
            << loads->hit.hover;
        EXPECT_NE(loads->hit.hover.find("no counter of its own"), std::string::npos) << "what goes on";
        ASSERT_TRUE(loads->hit.go);
        const trace::WarpTrace& warp =
            timed_.run.recording.trace.find({}, loads->hit.go->block)->warps[loads->hit.go->warp.value];
        const trace::StoredAccess& access = warp.accesses[warp.steps[loads->hit.go->step].access];
        EXPECT_EQ(access.space, trace::Space::Global);
        EXPECT_EQ(access.kind, trace::AccessKind::Load);
        EXPECT_FALSE(device->hit.go) << "no instruction's own";
    }
}

TEST_F(MemoryPage, TitlesStandAboveTheirColumnsInOneLineOrTwo) {
    for (const Language language : {Language::English, Language::Chinese})
        for (const f32 width : {400.0f, 430.0f, 460.0f, 620.0f, 920.0f}) {
            const Scene scene = draw({width, 498}, 0, language);
            f32 end = -1e6f, first = 0;
            for (const char* title :
                 language == Language::English
                     ? std::array{"instructions", "requests", "sectors", "request", "wavefronts", "minimum"}
                     : std::array{"指令", "请求", "扇区", "每个请求", "波前", "最少"}) {
                const auto found = std::ranges::find_if(scene.marks, [&](const Mark& mark) {
                    const auto* text = std::get_if<TextMark>(&mark);
                    return text && text->text.ends_with(title);
                });
                ASSERT_NE(found, scene.marks.end()) << title << " at " << width;
                const TextMark& text = std::get<TextMark>(*found);
                EXPECT_EQ(text.align, Align::Right);
                if (end > 0) {
                    EXPECT_EQ(text.at.y, first) << title << " at " << width;
                }
                EXPECT_GT(text.at.x - fonts_->width(text.text, text.size, text.face), end)
                    << title << " at " << width;
                end = text.at.x, first = text.at.y;
            }
        }
}

TEST_F(MemoryPage, WhatSharedMemoryWasMeasuredToTakeStandsBelowItsAccesses) {
    timed_.run.report.counters["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld"] = 64;
    timed_.run.report.counters["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st"] = 8;
    run::Measured& measured = *timed_.run.measured;
    measured.counters["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld"] = 134217730;
    measured.counters["l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld"] = 66;
    measured.counters["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st"] = 8;
    const Scene scene = draw({920, 1200});
    const std::vector<std::string> seen = seenTexts(scene);
    EXPECT_TRUE(contains(seen, "134,217,730 (+2)"));
    EXPECT_TRUE(contains(seen, "bank conflicts: 66 measured, 64 predicted"));
    EXPECT_TRUE(contains(seen, "Warps that wait for each other"));
    EXPECT_TRUE(contains(seen, "Shared, stores: ")) << "that no recorded access makes";
    const auto hit = std::ranges::find_if(scene.hits, [](const HitArea& area) {
        return area.hit.hover.starts_with("Shared, loads. Shared-memory wavefronts");
    });
    ASSERT_NE(hit, scene.hits.end());
    EXPECT_NE(hit->hit.hover.find("wavefronts: 134,217,728 predicted, 134,217,730 measured; ncu: "
                                  "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"),
              std::string::npos)
        << hit->hit.hover;
    EXPECT_NE(hit->hit.hover.find("bank conflicts: 64 predicted"), std::string::npos) << hit->hit.hover;
    const std::vector<std::string> narrow = seenTexts(draw({460, 1200}));
    EXPECT_TRUE(contains(narrow, "134,217,730 (+2)"));
    EXPECT_TRUE(contains(narrow, "66 conflicts"));
    measured.counters.erase("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st");
    EXPECT_FALSE(contains(seenTexts(draw({920, 1200})), "Shared, stores: "));
}

// What becomes of sectors between two levels is said where rows stand close together, too, so that the
// figures add up; where as many were measured or not; and by how many they differ, and why.
TEST_F(MemoryPage, WhatBecomesOfSectorsBetweenLevelsIsSaidInBriefToo) {
    auto& counters = timed_.run.report.counters;
    counters["l1tex__t_sectors_pipe_lsu_mem_global_op_ld"] = 1100,
    counters["l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit"] = 0;
    counters["lts__t_sectors_srcunit_tex_op_read"] = 1000,
    counters["lts__t_sectors_srcunit_tex_op_read_lookup_hit"] = 960,
    counters["lts__t_sectors_srcunit_tex_op_read_lookup_miss"] = 40;
    counters["dram__sectors_read"] = 164;
    timed_.run.caches->codeReads = 44, timed_.run.caches->launchReads = 80;
    timed_.run.measured->counters["dram__sectors_read"] = 170;
    const std::vector<std::string> differ = seenTexts(draw({430, 498})),
                                   differInChinese = seenTexts(draw({430, 498}, 0, Language::Chinese));
    EXPECT_TRUE(contains(differ, "+6: parameters and machine code are read from device memory too"));
    EXPECT_TRUE(contains(differInChinese, "+6：参数和机器码也要从设备内存读取"));
    EXPECT_TRUE(contains(differ, "124 more than L2 read misses")) << "the difference does not take its place";
    timed_.run.measured->counters["dram__sectors_read"] = 164;
    const std::vector<std::string> close = seenTexts(draw({430, 498})),
                                   chinese = seenTexts(draw({430, 498}, 0, Language::Chinese));
    EXPECT_TRUE(contains(close, "L2, reads"));
    EXPECT_FALSE(contains(close, "+"));
    EXPECT_TRUE(contains(close, "100 of 1,100 merged with an outstanding request"));
    EXPECT_TRUE(contains(close, "124 more than L2 read misses: 44 for machine code, 80 for parameters"));
    EXPECT_TRUE(contains(chinese, "比 L2 读未命中多 124 个：44 个用于机器码，80 个用于参数") ||
                contains(chinese, "其中 124 个并非来自核函数的 L2 读未命中：44 个用于机器码"))
        << "as a row has room";
}

// All rows say that they are predicted, or none: there is room for all of them only in a wide view.
TEST_F(MemoryPage, AllRowsSayThatTheyArePredictedOrNone) {
    for (const Language language : {Language::English, Language::Chinese})
        for (const f32 width : {400.0f, 430.0f, 460.0f, 620.0f, 920.0f}) {
            const std::vector<std::string> seen = seenTexts(draw({width, 1200}, 0, language));
            const auto rows = std::ranges::count_if(seen, [](const std::string& text) {
                return text.starts_with("L1") || text.starts_with("L2, ") ||
                       text.starts_with("Device memory, ") || text.starts_with("L2，") ||
                       text.starts_with("设备内存，");
            });
            const auto predicted = std::ranges::count_if(seen, [](const std::string& text) {
                return text.ends_with("· predicted") || text.ends_with("· 预测");
            });
            EXPECT_TRUE(predicted == 0 || predicted == rows) << width << ": " << predicted << " of " << rows;
        }
}

TEST_F(MemoryPage, SectorsThatCameAlongAreNamed) {
    auto& counters = timed_.run.report.counters;
    counters["lts__t_sectors_srcunit_tex_op_read"] = 100,
    counters["lts__t_sectors_srcunit_tex_op_read_lookup_hit"] = 60,
    counters["lts__t_sectors_srcunit_tex_op_read_lookup_miss"] = 41;
    EXPECT_TRUE(contains(seenTexts(draw({920, 1200})),
                         "1 of the 41 sectors read from device memory was fetched only because"));
    EXPECT_TRUE(contains(seenTexts(draw({920, 1200}, 0, Language::Chinese)),
                         "从设备内存读出的 41 个扇区中，有 1 个只是因为相邻的扇区被请求而顺带读来的"));
    counters["lts__t_sectors_srcunit_tex_op_read_lookup_miss"] = 40;
    EXPECT_FALSE(std::ranges::any_of(seenTexts(draw({920, 1200})), [](const std::string& text) {
        return text.find("only because the neighboring") != std::string::npos;
    }));
}

TEST_F(MemoryPage, NothingIsLeftOutWhereThereIsRoom) {
    const std::vector<std::string> seen = seenTexts(draw({920, 900}));
    EXPECT_TRUE(contains(seen, "Device memory, writes"));
    EXPECT_TRUE(contains(seen, "Beside it: on an"));
    EXPECT_FALSE(std::ranges::any_of(
        seen, [](const std::string& text) { return text.find("below: scroll") != std::string::npos; }));
}

}  // namespace
}  // namespace lockstep::viz
