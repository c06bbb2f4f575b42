// Where views mark what was found.
#include "viz/facts/findings_on_show.h"

#include "explain/cursor/navigation.h"
#include "explain/findings/finding_places.h"
#include "viz/cursor/opening.h"
#include "viz/scene/fonts.h"
#include "viz/scene/tokens.h"
#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

// Thread 5 reads at step 1 what thread 40, of the second warp, wrote.
run::Run withARace() {
    run::Run run = columnRead(32);
    trace::Finding race;
    race.kind = trace::FindingKind::Race;
    race.space = trace::Space::Shared;
    const Pc pc = run.recording.trace.blocks[0].warps[0].steps[1].pc;
    race.who = {.pc = pc,
                .block = run.recording.trace.blocks[0].block,
                .thread = {5, 0, 0},
                .kind = trace::AccessKind::Load};
    race.other = trace::Culprit{
        .pc = pc, .block = race.who.block, .thread = {8, 1, 0}, .kind = trace::AccessKind::Store};
    run.recording.findings = {race};
    return run;
}

Cursor at(const run::Run& run, u32 warp, u32 step, u32 lane = 0) {
    return {.launch = {},
            .block = run.recording.trace.blocks[0].block,
            .warp = Warp{warp},
            .lane = Lane{lane},
            .step = step};
}

TEST(FindingsOnShowTest, BothThreadsOfACollisionAreFoundInTheirWarps) {
    const run::Run run = withARace();
    const Dim3 block = launchOf(run, {}).block;
    const u32 other = u32(linearOf({8, 1, 0}, block));
    const std::vector<FoundAt> first = findingsOfWarp(run, at(run, 0, 0));
    ASSERT_EQ(first.size(), 1u);
    EXPECT_EQ(first[0].step, 1u);
    EXPECT_TRUE(first[0].lanes.has(Lane{5}));
    EXPECT_EQ(first[0].go(at(run, 0, 0)), at(run, 0, 1, first[0].lanes.lowest().value));
    const std::vector<FoundAt> second = findingsOfWarp(run, at(run, other / kWarpSize, 0));
    ASSERT_EQ(second.size(), 1u);
    EXPECT_TRUE(second[0].lanes.has(Lane{other % kWarpSize}));
}

TEST(FindingsOnShowTest, AnInstructionThatRunsAgainIsMarkedWhereItReachedTheAddress) {
    run::Run run = withARace();
    trace::WarpTrace& warp = run.recording.trace.blocks[0].warps[0];
    trace::StoredAccess later = warp.accesses[warp.steps[1].access];
    later.base += 4096;
    trace::Step step = warp.steps[1];
    step.access = u32(warp.accesses.size());
    warp.accesses.push_back(later);
    warp.steps.push_back(step);
    const u32 last = u32(warp.steps.size()) - 1;
    trace::Finding& finding = run.recording.findings[0];
    finding.address = warp.address(later, Lane{5});
    finding.widthBytes = 4;
    const std::optional<Cursor> there = explain::cursorOf(run, finding);
    ASSERT_TRUE(there);
    EXPECT_EQ(there->step, last);
    const std::vector<FoundAt> found = findingsOfWarp(run, at(run, 0, 0));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].step, last);
}

// Thread (0,0) reads Mds[0][0] in both tiles, the other thread writes it in the load of the second: they meet
// in no phase but one.
TEST(FindingsOnShowTest, ACollisionIsMarkedInThePhaseThatBothAreIn) {
    run::Run run = tiledMatmul(4, 2, true);
    const trace::FocusBlock& block = run.recording.trace.blocks[0];
    const trace::WarpTrace& warp = block.warps[0];
    constexpr Pc kStoreM{3}, kReadMds{7};  // of tiledMatmul
    std::vector<u32> stores, reads;
    for (u32 s = 0; s < warp.steps.size(); ++s) {
        if (warp.steps[s].pc == kStoreM) stores.push_back(s);
        if (warp.steps[s].pc == kReadMds) reads.push_back(s);
    }
    ASSERT_GE(stores.size(), 2u);
    // The barrier between the first multiply and the second load is taken away.
    std::vector<u32>& barriers = run.recording.trace.blocks[0].warps[0].barrierSteps;
    const auto between = std::ranges::find_if(barriers, [&](u32 b) { return b < stores[1] && b > reads[0]; });
    ASSERT_NE(between, barriers.end());
    barriers.erase(between);
    trace::Finding race;
    race.kind = trace::FindingKind::Race;
    race.space = trace::Space::Shared;
    race.widthBytes = 4;
    race.address = warp.address(warp.accesses[warp.steps[stores[0]].access], Lane{0});
    race.who = {.pc = kStoreM, .block = block.block, .thread = {0, 0, 0}, .kind = trace::AccessKind::Store};
    race.other = trace::Culprit{
        .pc = kReadMds, .block = block.block, .thread = {1, 0, 0}, .kind = trace::AccessKind::Load};
    run.recording.findings = {race};
    const std::optional<Cursor> who = explain::cursorOf(run, race),
                                other = explain::cursorOf(run, race, *race.other);
    ASSERT_TRUE(who && other);
    EXPECT_EQ(who->step, stores[1])
        << "the first store is before all reads of its tile, and a barrier lies between";
    EXPECT_EQ(warp.phaseOf(who->step), warp.phaseOf(other->step));
    EXPECT_EQ(initialCursor(run), *who) << "and there the run is shown first";
    const std::vector<FoundAt> found = findingsOfWarp(run, *who);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found.front().step, other->step);
    EXPECT_EQ(found.back().step, who->step);
}

TEST(FindingsOnShowTest, SourceLanesAndTimelineMarkIt) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    const run::Run run = withARace();
    run::Run right = run, remarked = run;
    right.recording.findings.clear();
    for (trace::Finding& finding : remarked.recording.findings)
        finding.kind = trace::FindingKind::WarpSynchronous;
    for (const char* view : {"source", "lanes", "timeline"}) {
        const auto marks = [&](const run::Run& of) {
            const Scene scene = findView(view)->build({.run = of,
                                                       .cursor = at(of, 0, 0),
                                                       .profile = model::defaultProfile(),
                                                       .size = {900, 400},
                                                       .metrics = *fonts});
            return std::ranges::count_if(scene.marks, [](const Mark& mark) {
                const auto* shape = std::get_if<PolygonMark>(&mark);
                return shape && shape->fill.kind == RoleKind::Finding;
            });
        };
        EXPECT_GE(marks(run), 1) << view;
        EXPECT_EQ(marks(right), 0) << view;
        EXPECT_EQ(marks(remarked), 0) << view << ": a remark is no mistake";
        const Scene scene = findView(view)->build({.run = run,
                                                   .cursor = at(run, 0, 0),
                                                   .profile = model::defaultProfile(),
                                                   .size = {900, 400},
                                                   .metrics = *fonts});
        EXPECT_TRUE(std::ranges::any_of(scene.hits, [&](const HitArea& area) {
            return area.hit.go && area.hit.go->step == 1 && area.hit.go->lane == Lane{5} &&
                   !area.hit.text().empty();
        })) << view;
    }
}

// Where not all can be told in full, the others are without their code.
TEST(FindingsOnShowTest, ASecondPlaceIsSeenWhereThereIsLittleRoom) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    run::Run run = withARace();
    trace::Finding outside = run.recording.findings[0];
    outside.kind = trace::FindingKind::OutOfBounds;
    outside.other.reset();
    run.recording.findings.push_back(outside);
    const auto titles = [&](f32 height) {
        const Scene scene = findView("findings")
                                ->build({.run = run,
                                         .cursor = at(run, 0, 0),
                                         .profile = model::defaultProfile(),
                                         .size = {300, height},
                                         .metrics = *fonts});
        return std::ranges::count_if(scene.marks, [](const Mark& mark) {
            const auto* text = std::get_if<TextMark>(&mark);
            return text && (text->text == "Data race" || text->text == "Out of bounds");
        });
    };
    EXPECT_EQ(titles(900), 2);
    EXPECT_EQ(titles(500), 2);
    EXPECT_EQ(titles(200), 1);
}

}  // namespace
}  // namespace lockstep::viz
