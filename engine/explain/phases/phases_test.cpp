#include "explain/phases/phases.h"

#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

namespace lockstep::explain {
namespace {

using trace::AccessKind, trace::Space;
using viz::RunBuilder;

std::vector<std::string> namesOf(const run::Run& run, bool multipliesTiles, Warp warp = {}) {
    std::vector<std::string> names;
    for (const Band& band : bandsOf(*run.module, run.recording.launches[0], run.recording.trace.blocks[0],
                                    warp, {.multipliesTiles = multipliesTiles}, Language::English))
        names.push_back(band.name);
    return names;
}

// Copies of a tile past the registers, `tiles` of them, each multiplied behind a barrier; `exists`: whether
// there is anything to be copied.
run::Run asyncCopies(u32 tiles, bool exists) {
    RunBuilder b("copies.cu",
                 "__global__ void kernel(const float* M) {\n  copy(&Mds[t], &M[t]);\n  sum += Mds[t];\n}\n");
    b.shared("Mds", 128);
    b.buffer("M", {32}, std::vector<f32>(32));
    const Pc copy = b.instruction("mov.u32 %r1, 1", 2), load = b.instruction("ld.shared.f32 %f1, [%r1]", 3),
             bar = b.instruction("bar.sync 0", 2);
    b.launch({1, 1, 1}, {32, 1, 1});
    b.block({0, 0, 0});
    const auto place = [](u32 l) { return u64{l} * 4; };
    const auto zero = [](u32) { return 0.0f; };
    for (u32 tile = 0; tile < tiles; ++tile) {
        if (exists)
            b.access(
                0, copy, LaneMask::all(), Space::Global, AccessKind::AsyncCopy,
                [](u32 l) { return deviceAddressOf(0) + u64{l} * 4; }, zero);
        else
            b.access(0, copy, LaneMask::all(), Space::Shared, AccessKind::AsyncCopy, place, zero);
        b.barrier(0, bar, LaneMask::all());
        b.access(0, load, LaneMask::all(), Space::Shared, AccessKind::Load, place, zero);
        b.barrier(0, bar, LaneMask::all());
    }
    return b.finish();
}

TEST(PhasesTest, AnAsynchronousCopyLoadsATileAndReadsNoneWhetherItsSourceExistsOrNot) {
    for (const bool exists : {true, false}) {
        const std::vector<std::string> names = namesOf(asyncCopies(2, exists), true);
        ASSERT_GE(names.size(), 4u);
        EXPECT_EQ(names[0], "barrier interval 0: load tile 1");
        EXPECT_EQ(names[1], "barrier interval 1: multiply tile 1");
        EXPECT_EQ(names[2], "barrier interval 2: load tile 2");
    }
}

// What follows is not known, so that nothing is denied of it.
TEST(PhasesTest, ARunThatIsCutIsNamedByWhatItHasSoFar) {
    run::Run run = asyncCopies(1, true);
    EXPECT_FALSE(bandFactsOf(run, {}).isCut);
    run.recording.complete = false;
    EXPECT_TRUE(bandFactsOf(run, {}).isCut);
    trace::FocusBlock block = run.recording.trace.blocks[0];
    trace::WarpTrace& warp = block.warps[0];
    const auto last = [&](bool isCut) {
        return bandsOf(*run.module, run.recording.launches[0], block, Warp{}, {.isCut = isCut},
                       Language::English)
            .back()
            .name;
    };
    warp.steps.resize(warp.barrierSteps[0] + 1);  // up to its first barrier, and one instruction more
    warp.barrierSteps.resize(1);
    warp.steps.push_back({.pc = warp.steps[0].pc, .active = LaneMask::all()});
    EXPECT_EQ(last(false), "barrier interval 1: no access");
    EXPECT_EQ(last(true), "barrier interval 1: no access so far");
    warp.barrierSteps.clear();
    warp.steps.erase(warp.steps.begin(), warp.steps.end() - 1);
    EXPECT_EQ(last(false), "whole kernel, no barriers");
    EXPECT_EQ(last(true), "so far, no barriers");
}

TEST(PhasesTest, ATileThatIsAllThereIsHasNoNumber) {
    const std::vector<std::string> names = namesOf(asyncCopies(1, true), true);
    ASSERT_GE(names.size(), 2u);
    EXPECT_EQ(names[0], "barrier interval 0: load from global, write shared memory");
    EXPECT_EQ(names[1], "barrier interval 1: multiply");
}

// Through registers: tile 2 is on its way while tile 1 is stored, and tile 3 while tile 2 is.
TEST(PhasesTest, ATileThatIsLoadedAnIntervalAheadIsNamedAsLoadedThere) {
    RunBuilder b("ahead.cu", "__global__ void kernel(const float* M) {\n  load();\n  sum += Mds[t];\n}\n");
    b.shared("Mds", 256);
    b.buffer("M", {96}, std::vector<f32>(96));
    const Pc load = b.instruction("ld.global.f32 %f1, [%rd1]", 2),
             store = b.instruction("st.shared.f32 [%r1], %f1", 2),
             read = b.instruction("ld.shared.f32 %f2, [%r1]", 3), bar = b.instruction("bar.sync 0", 2),
             result = b.instruction("st.global.f32 [%rd2], %f2", 3);
    b.launch({1, 1, 1}, {32, 1, 1});
    b.block({0, 0, 0});
    const auto zero = [](u32) { return 0.0f; };
    const auto loads = [&](u32 tile) {
        b.access(
            0, load, LaneMask::all(), Space::Global, AccessKind::Load,
            [tile](u32 l) { return deviceAddressOf(0) + u64{tile * 32 + l} * 4; }, zero);
    };
    const auto stores = [&] {
        b.access(
            0, store, LaneMask::all(), Space::Shared, AccessKind::Store, [](u32 l) { return u64{l} * 4; },
            zero);
    };
    const auto reads = [&] {
        b.access(
            0, read, LaneMask::all(), Space::Shared, AccessKind::Load, [](u32 l) { return u64{l} * 4; },
            zero);
    };
    loads(0), stores(), loads(1), b.barrier(0, bar, LaneMask::all());
    reads(), stores(), loads(2), b.barrier(0, bar, LaneMask::all());
    reads(), stores(), b.barrier(0, bar, LaneMask::all());
    reads();
    b.access(
        0, result, LaneMask::all(), Space::Global, AccessKind::Store,
        [](u32 l) { return deviceAddressOf(0) + u64{l} * 4; }, zero);
    const std::vector<std::string> names = namesOf(b.finish(), true);
    ASSERT_EQ(names.size(), 4u) << testing::PrintToString(names);
    EXPECT_EQ(names[0], "barrier interval 0: load tiles 1 and 2");
    EXPECT_EQ(names[1], "barrier interval 1: multiply tile 1, store tile 2 to shared, load tile 3");
    EXPECT_EQ(names[2], "barrier interval 2: multiply tile 2, store tile 3 to shared");
    EXPECT_EQ(names[3], "barrier interval 3: multiply tile 3, store to global");
}

TEST(PhasesTest, AnIntervalInWhichTheWarpIsIdleIsNamedByOneThatWorks) {
    const run::Run run = viz::treeSum(64);  // the second warp only loads: 32 threads add in the first round
    const std::vector<std::string> working = namesOf(run, false), idle = namesOf(run, false, Warp{1});
    ASSERT_EQ(idle.size(), working.size()) << testing::PrintToString(idle) << testing::PrintToString(working);
    constexpr std::string_view kOthers = ", other warps only";
    for (std::size_t i = 1; i < idle.size(); ++i) {
        std::string name = idle[i];
        if (const std::size_t at = name.find(kOthers); at != std::string::npos)
            name.erase(at, kOthers.size());
        EXPECT_EQ(name, working[i]);
    }
    EXPECT_TRUE(idle[3].ends_with(", other warps only: read and write shared memory")) << idle[3];
}

TEST(PhasesTest, ARoundOfSumsIsNamedByItsNumberAndStride) {
    const run::Run run = viz::treeSum(64, true);
    const trace::FocusBlock& block = run.recording.trace.blocks[0];
    const std::optional<ReductionFacts> sums = reductionFacts(run, {});
    ASSERT_TRUE(sums);
    const BandFacts facts{.rounds = roundsByInterval(*sums, block)};
    ASSERT_EQ(facts.rounds.size(), 6u);
    std::vector<Band> rounds;
    for (const Band& band :
         bandsOf(*run.module, run.recording.launches[0], block, Warp{}, facts, Language::English))
        if (band.name.find("add in round") != std::string::npos) rounds.push_back(band);
    ASSERT_EQ(rounds.size(), 6u);
    EXPECT_TRUE(rounds[0].name.ends_with(": add in round 1, stride 32")) << rounds[0].name;
    EXPECT_TRUE(rounds[4].name.ends_with(": add in round 5, stride 2")) << rounds[4].name;
    EXPECT_EQ(shortestInWords(rounds[4]), "round 5");
}

TEST(PhasesTest, RoundsOfOneIntervalAreNamedTogether) {
    const run::Run run = viz::treeSum(64, true);
    constexpr u32 interval = 1;
    BandFacts facts{.rounds = {{interval, {2, 7, 32, 1}}}};
    const auto named = [&] {
        for (const Band& band : bandsOf(*run.module, run.recording.launches[0], run.recording.trace.blocks[0],
                                        Warp{}, facts, Language::English))
            if (const std::size_t at = band.name.find("add in"); at != std::string::npos)
                return band.name.substr(at) + "|" + shortestInWords(band);
        return std::string();
    };
    EXPECT_EQ(named(), "add in rounds 2 to 7, strides 32 to 1|rounds 2 to 7");
    facts.rounds[interval] = {2, 7, 32, 0};
    EXPECT_EQ(named(), "add in rounds 2 to 7|rounds 2 to 7");
    facts.rounds[interval] = {3, 3, 0, 0};
    EXPECT_EQ(named(), "add in round 3|round 3");
}

TEST(PhasesTest, AProductIsKnownByItsShapeAndNeedsNoName) {
    EXPECT_TRUE(bandFactsOf(viz::tiledMatmul(8, 4, true), {}).multipliesTiles);
    EXPECT_FALSE(bandFactsOf(viz::transpose(64, 64, 33), {}).multipliesTiles);
}

TEST(PhasesTest, ASetUpWithoutRoomForItsNameBelongsToTheIntervalThatItBegins) {
    const std::vector<Band> bands{{0, 6, "setup", {}, true},
                                  {6, 9, "barrier interval 0: load", {"0: load", "load", "0"}},
                                  {9, 12, "store", {}}};
    const auto withRoomFrom = [&](u32 steps) {
        return withoutNarrowSetUp(bands, [&](const Band& band) { return band.end - band.first >= steps; });
    };
    EXPECT_EQ(withRoomFrom(3).size(), 3u);
    for (const u32 steps : {4u, 7u}) {  // the rest of the interval, or its set-up, is too short
        const std::vector<Band> merged = withRoomFrom(steps);
        ASSERT_EQ(merged.size(), 2u);
        EXPECT_EQ(merged[0].first, 0u);
        EXPECT_EQ(merged[0].end, 9u);
        EXPECT_EQ(merged[0].name, "barrier interval 0: load");
    }
    EXPECT_EQ(shortestInWords(bands[0]), "setup");
    EXPECT_EQ(shortestInWords(bands[1]), "load");
}

}  // namespace
}  // namespace lockstep::explain
