// A run is shown before its caches are known, and the final result is the same.
#include "run/partial_result.h"

#include <gtest/gtest.h>

namespace lockstep::run {
namespace {

Expected<Experiment> multiply(const catalog::Catalog& catalog, const char* what, const char* width,
                              const char* tile) {
    const auto found = catalog.lookUp(what);
    const std::vector<std::pair<std::string, std::string>> settings{{"width", width}, {"tile", tile}};
    const Expected<catalog::Values> values = catalog::resolve(*found->first, *found->second, settings);
    if (!values) return Unexpected{values.error()};
    return open(Resources{LOCKSTEP_SOURCE_DIR}, *found->first, *found->second, *values);
}
// 32 x 32 blocks of 8 warps, each 32 times two requests: half a million.
Expected<Experiment> large(const catalog::Catalog& catalog) {
    return multiply(catalog, "matmul/tiled", "512", "16");
}

class PartialResultTest : public ::testing::Test {
protected:
    void SetUp() override { ASSERT_TRUE(catalog_) << describe(catalog_.error()); }
    Expected<catalog::Catalog> catalog_ = catalog::Catalog::read(Resources{LOCKSTEP_SOURCE_DIR}.kernels());
};

TEST_F(PartialResultTest, HasAllButTheCachesAndTheRunHasThemInTheEnd) {
    std::vector<run::Run> early;
    std::vector<std::pair<u64, u64>> told;
    const EarlyListener listener{.run = [&](const run::Run& run) { early.push_back(run); },
                                 .caches = [&](u64 done, u64 total) { told.emplace_back(done, total); }};
    const Expected<run::Run> listened = run(*large(*catalog_), {}, listener),
                             plain = run(*large(*catalog_), {});
    ASSERT_TRUE(listened && plain);
    ASSERT_EQ(early.size(), 1u);
    EXPECT_FALSE(early[0].caches);
    EXPECT_TRUE(early[0].comparison->correct);
    EXPECT_FALSE(early[0].recording.trace.blocks.empty());
    ASSERT_TRUE(listened->caches);
    EXPECT_EQ(listened->report.counters, plain->report.counters) << "whether anybody listens or not";
    EXPECT_LT(early[0].report.counters.size(), plain->report.counters.size());
    for (const auto& [name, count] : early[0].report.counters)
        EXPECT_EQ(count, plain->report.counters.at(name)) << name;
    ASSERT_FALSE(told.empty());
    for (std::size_t i = 0; i < told.size(); ++i) {
        EXPECT_EQ(told[i].second, 1024u) << "blocks";
        EXPECT_LE(told[i].first, 1024u);
        EXPECT_GE(told[i].first, told[i > 0 ? i - 1 : 0].first);
    }
}

TEST_F(PartialResultTest, TheBlocksInFocusComeFirst) {
    std::vector<run::Run> early;
    const EarlyListener listener{
        .focus = [&](const std::shared_ptr<run::Run>& run) { early.push_back(*run); }};
    Options options;
    options.caches = Caches::Off;
    options.emulator.focus = simt::defaultFocus({32, 32, 1});
    options.emulator.focus->push_back({7, 9, 0});
    const Expected<run::Run> whole = run(*large(*catalog_), options, listener);
    ASSERT_TRUE(whole);
    ASSERT_EQ(early.size(), 1u);
    const run::Run& focus = early[0];
    ASSERT_TRUE(focus.recording.sample);
    EXPECT_EQ(focus.recording.sample->unproved, trace::Unproved::UnderWay);
    EXPECT_EQ(focus.recording.sample->of, 1024u);
    EXPECT_FALSE(focus.correct());
    EXPECT_FALSE(whole->recording.sample);
    EXPECT_TRUE(whole->correct().value_or(false));
    ASSERT_EQ(focus.recording.trace.blocks.size(), whole->recording.trace.blocks.size());
    for (const trace::FocusBlock& block : focus.recording.trace.blocks) {
        const trace::FocusBlock* const same = whole->recording.trace.find(block.launch, block.block);
        ASSERT_TRUE(same);
        ASSERT_EQ(block.warps.size(), same->warps.size());
        for (std::size_t warp = 0; warp < block.warps.size(); ++warp)
            EXPECT_EQ(block.warps[warp].steps.size(), same->warps[warp].steps.size());
    }
}

TEST_F(PartialResultTest, TheBlockThatIsLookedAtComesBeforeTheOthers) {
    std::vector<run::Run> early;
    EarlyListener listener{.focus = [&](const std::shared_ptr<run::Run>& run) { early.push_back(*run); }};
    listener.block = Dim3{7, 9, 0};
    Options options;
    options.caches = Caches::Off;
    options.emulator.focus = simt::defaultFocus({32, 32, 1});
    options.emulator.focus->push_back({7, 9, 0});
    const Expected<run::Run> whole = run(*large(*catalog_), options, listener);
    ASSERT_TRUE(whole);
    ASSERT_EQ(early.size(), 1u) << "the whole grid is there in a moment";
    ASSERT_EQ(early[0].recording.trace.blocks.size(), 1u);
    EXPECT_EQ(early[0].recording.trace.blocks[0].block, (Dim3{7, 9, 0}));
    EXPECT_EQ(early[0].recording.sample->unproved, trace::Unproved::UnderWay);
    EXPECT_EQ(early[0].recording.sample->blocks, 1u);
    EXPECT_EQ(early[0].recording.sample->of, 1024u);
    EXPECT_EQ(whole->recording.trace.blocks.size(), 5u);

    early.clear();
    listener.isEnough = [](const run::Run&) { return false; };
    ASSERT_TRUE(run(*large(*catalog_), options, listener));
    ASSERT_EQ(early.size(), 1u);
    EXPECT_EQ(early[0].recording.trace.blocks.size(), 5u) << "it says too little";
}

TEST_F(PartialResultTest, WhatIsRunInAMomentIsNotShownBefore) {
    const auto isShownBefore = [&](const char* what, const char* width, const char* tile) {
        bool is = false;
        const EarlyListener listener{.focus = [&](const std::shared_ptr<run::Run>&) { is = true; }};
        EXPECT_TRUE(run(*multiply(*catalog_, what, width, tile), {}, listener));
        return is;
    };
    EXPECT_TRUE(isShownBefore("matmul/tiled", "512", "16"));
    EXPECT_FALSE(isShownBefore("matmul/tiled", "80", "16"));
    EXPECT_FALSE(isShownBefore("matmul/tiled", "32", "16")) << "every block is in focus";
    EXPECT_TRUE(isShownBefore("matmul/tiled", "176", "32")) << "four of 36 blocks, which take long";
}

TEST_F(PartialResultTest, WhatIsCanceledWhenItsFirstBlocksAreThereRunsNoOthers) {
    Progress progress;
    Options options;
    options.emulator.progress = &progress;
    options.emulator.focus = simt::defaultFocus({32, 32, 1});
    int shown = 0;
    EarlyListener listener{.focus = [&](const std::shared_ptr<run::Run>&) {
        ++shown;
        progress.cancelled = true;
    }};
    listener.block = Dim3{0, 0, 0};
    const Expected<run::Run> cancelled = run(*large(*catalog_), options, listener);
    ASSERT_FALSE(cancelled);
    EXPECT_EQ(cancelled.error().kind, FaultKind::Cancelled);
    EXPECT_EQ(shown, 1);
    EXPECT_LE(progress.total, 6u) << "blocks: the grid of 1,024 has not begun";
}

TEST_F(PartialResultTest, WhoeverCancelsWhileCachesAreSimulatedHasTheRunWithoutThem) {
    Progress progress;
    Options options;
    options.emulator.progress = &progress;
    const Expected<run::Run> cancelled =
        run(*large(*catalog_), options,
            {.run = [&](const run::Run&) { progress.cancelled = true; }, .caches = {}});
    ASSERT_TRUE(cancelled);
    EXPECT_FALSE(cancelled->caches);
    EXPECT_TRUE(cancelled->recording.complete);
    EXPECT_TRUE(cancelled->comparison->correct);
}

TEST_F(PartialResultTest, ALongRecordIsShownBeforeItsHints) {
    const auto found = catalog_->lookUp("histogram/global-atomics");
    const Expected<catalog::Values> values = catalog::resolve(
        *found->first, *found->second, std::vector<std::pair<std::string, std::string>>{{"n", "1048576"}});
    ASSERT_TRUE(values);
    Expected<Experiment> opened =
        open(Resources{LOCKSTEP_SOURCE_DIR}, *found->first, *found->second, *values);
    ASSERT_TRUE(opened);
    Options options;
    options.caches = Caches::Off;
    options.emulator.focusAll = true;
    u32 told = 0;
    const auto early = [&](const run::Run& run) {
        ++told;
        EXPECT_FALSE(run.hints);
        EXPECT_TRUE(run.comparison->correct);
    };
    const Expected<run::Run> done = run(std::move(*opened), options, {.run = early, .caches = {}});
    ASSERT_TRUE(done);
    EXPECT_EQ(told, 1u);
    EXPECT_TRUE(done->hints);
}

TEST_F(PartialResultTest, ASmallRunIsToldOnceAndWhole) {
    Expected<Experiment> small = multiply(*catalog_, "matmul/tiled-bounds", "3", "2");
    ASSERT_TRUE(small);
    u32 told = 0;
    const Expected<run::Run> done =
        run(std::move(*small), {}, {.run = [&](const run::Run&) { ++told; }, .caches = {}});
    ASSERT_TRUE(done && done->caches);
    EXPECT_EQ(told, 0u);
}

}  // namespace
}  // namespace lockstep::run
