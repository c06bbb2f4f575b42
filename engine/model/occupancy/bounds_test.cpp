#include "model/occupancy/bounds.h"

#include "model/test_kernel.h"

#include <gtest/gtest.h>

namespace lockstep::model {
namespace {

// A device with round figures: 2 SMs at 1 GHz, 1 GB/s.
Profile simpleProfile() {
    Profile profile = defaultProfile();
    profile.multiprocessors = 2;
    profile.speed = Speed{
        .clockMhz = 1000, .memoryMBPerSecond = 1000, .fp32Lanes = 128, .fp64Lanes = 64, .issueLanes = 128};
    return profile;
}

const Bound* find(const Bounds& bounds, std::string_view resource) {
    for (const Bound& bound : bounds.all)
        if (bound.resource == resource) return &bound;
    return nullptr;
}

// So many sectors were read from device memory.
CacheCounts readsOf(u64 sectors) {
    CacheCounts caches;
    caches.l2ReadsLeast = caches.l2Reads = caches.l2ReadMisses = caches.dramReads = sectors;
    return caches;
}

f64 bytesOfDeviceMemory(const CacheCounts& caches, const trace::Recording& recording,
                        const Report& report = {}) {
    const std::optional<Bounds> bounds = boundsOf(testModule(), recording, report, caches, simpleProfile());
    const Bound* bound = bounds ? find(*bounds, "device_memory") : nullptr;
    return bound ? bound->amount : 0;
}

// A kernel of these instructions, each of which a warp of 32 lanes executed `times` times.
std::optional<Bounds> boundsOfInstructions(const std::string& body, u64 times) {
    const Expected<ptx::Module> module = ptx::parse(
        ".version 8.0\n.target sm_52\n.address_size 64\n.visible .entry k() {\n.reg .f32 %f<9>; .reg .f64 "
        "%d<9>;\n" +
            body + "ret;\n}\n",
        "k.ptx");
    if (!module) {
        ADD_FAILURE() << describe(module.error());
        return {};
    }
    trace::Recording recording = testRecording();
    recording.counts.emplace_back().perPc.resize(
        module->instructions.size(), {.executions = times, .activeLanes = 32 * times, .divergent = 0});
    return boundsOf(*module, recording, {}, {}, simpleProfile());
}

// The test kernel with a million executions of ld.global and 4 million wavefronts: 2 ms on two SMs.
TEST(Bounds, AreWhatEachResourceNeedsAtLeast) {
    const ptx::Module module = testModule();
    trace::Recording recording = testRecording();
    recording.counts.emplace_back().perPc.resize(module.instructions.size());
    recording.counts[0].perPc[pcOf(module, "ld.global.f32").value] = {
        .executions = 1'000'000, .activeLanes = 32'000'000, .divergent = 0};
    Report report;
    report.counters = {{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld", 3'000'000},
                       {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st", 1'000'000}};
    const std::optional<Bounds> bounds = boundsOf(module, recording, report, readsOf(1000), simpleProfile());
    ASSERT_TRUE(bounds);
    ASSERT_TRUE(find(*bounds, "shared_memory"));
    EXPECT_DOUBLE_EQ(find(*bounds, "shared_memory")->leastMs(), 2.0);
    // 4 warp instructions per clock on each of 2 SMs: a million in 125 000 clocks.
    ASSERT_TRUE(find(*bounds, "issue_slots"));
    EXPECT_DOUBLE_EQ(find(*bounds, "issue_slots")->leastMs(), 0.125);
    ASSERT_TRUE(find(*bounds, "device_memory"));
    EXPECT_DOUBLE_EQ(find(*bounds, "device_memory")->leastMs(), 0.032);
    EXPECT_EQ(find(*bounds, "fp32"), nullptr);
    EXPECT_FALSE(bounds->knowsL2);
    EXPECT_EQ(find(*bounds, "l2"), nullptr);
    ASSERT_TRUE(bounds->binding());
    EXPECT_EQ(bounds->binding()->resource, "shared_memory");
}

// 3 million sectors of 32 bytes at 12 GB/s: 8 ms. Stores do not enter this bound.
TEST(Bounds, KnowWhatL2GivesWhereASourceSaysIt) {
    Profile profile = simpleProfile();
    profile.speed->l2ReadMBPerSecond = 12'000;
    CacheCounts caches = readsOf(1000);
    caches.l2ReadsLeast = 3'000'000, caches.l2Reads = 4'000'000, caches.l2Writes = 5'000'000;
    const std::optional<Bounds> bounds = boundsOf(testModule(), testRecording(), {}, caches, profile);
    ASSERT_TRUE(bounds && bounds->knowsL2 && bounds->binding());
    EXPECT_EQ(bounds->binding()->resource, "l2");
    EXPECT_DOUBLE_EQ(bounds->binding()->amount, 96e6);
    EXPECT_DOUBLE_EQ(bounds->binding()->leastMs(), 8.0);
    EXPECT_EQ(describe(*bounds, {}).english(),
              "The kernel cannot take less than 8.00 ms: reading from the L2 cache alone needs that long. "
              "This is a "
              "lower bound, not a prediction.");
}

// Reading the same sectors again, their neighbors, fills of partial stores, the launch's own code: none of it
// counts in the bound.
TEST(Bounds, OfDeviceMemoryTakeEachSectorThatWasReadOnce) {
    CacheCounts caches = readsOf(1000);
    caches.l2Reads = caches.l2ReadMisses = 1500, caches.dramReads = 2000;
    EXPECT_EQ(bytesOfDeviceMemory(caches, testRecording()), 32'000);
    caches.l2ReadMisses = 400;  // 600 were stored first, in the same launch
    EXPECT_EQ(bytesOfDeviceMemory(caches, testRecording()), 12'800);
}

TEST(Bounds, OfDeviceMemoryLeaveOutWhatALaterLaunchMayFindInL2) {
    trace::Recording recording = testRecording();
    recording.launches.push_back(recording.launches.front());
    Report report;
    report.sites.push_back({.launch = LaunchId{1},
                            .pc = {},
                            .opcode = {},
                            .text = {},
                            .file = {},
                            .space = trace::Space::Global,
                            .kind = trace::AccessKind::Load,
                            .sectors = 300,
                            .merged = {}});
    EXPECT_EQ(bytesOfDeviceMemory(readsOf(1000), recording, report), 22'400)
        << "the second launch asks for 300 sectors";
    const u64 l2 = simpleProfile().caches->l2Bytes / 32;
    report.sites.front().sectors = 9 * l2;
    EXPECT_EQ(bytesOfDeviceMemory(readsOf(3 * l2), recording, report), f64(2 * l2 * 32))
        << "L2 keeps no more than it holds";
}

TEST(Bounds, OfDeviceMemoryTakeStoresThatL2CannotHold) {
    const CacheFigures figures = *simpleProfile().caches;
    trace::Recording recording = testRecording();
    recording.initial = {{.name = "out",
                          .type = ElementType::U8,
                          .shape = {},
                          .bytes = std::vector<std::byte>(4 * figures.l2Bytes)}};
    CacheCounts caches;
    caches.dramWrites = (4 * figures.l2Bytes - figures.l2DirtyBytes) / 32;  // all of it stored once
    EXPECT_EQ(bytesOfDeviceMemory(caches, recording), 3.0 * f64(figures.l2Bytes));
    recording.initial[0].bytes.resize(figures.l2Bytes / 2);  // the same again and again: all of it may stay
    EXPECT_EQ(bytesOfDeviceMemory(caches, recording), 0);
}

TEST(Bounds, CountAMultiplicationThatAnAdditionMayTakeInWithIt) {
    struct Case {
        const char* body;
        f64 fp32, fp64;  // instructions of a warp, each of 32 lanes
    };
    constexpr Case cases[] = {
        {"mul.f32 %f3, %f1, %f2; add.f32 %f4, %f3, %f1;", 1, 0},
        {"mul.f32 %f3, %f1, %f2; sub.f32 %f4, %f1, %f3;", 1, 0},
        {"mul.rn.f32 %f3, %f1, %f2; add.f32 %f4, %f3, %f1;", 2, 0},  // a rounding modifier forbids it
        {"mul.f32 %f3, %f1, %f2; add.rn.f32 %f4, %f3, %f1;", 2, 0},
        {"mul.f32 %f3, %f1, %f2; neg.f32 %f5, %f3; add.f32 %f4, %f5, %f1;", 1, 0},
        {"mul.f32 %f3, %f1, %f2; mov.f32 %f5, %f3; add.f32 %f4, %f5, %f1;", 1, 0},
        {"mul.f32 %f3, %f1, %f2; mul.f32 %f4, %f1, %f1; add.f32 %f5, %f3, %f4;", 2,
         0},                                                      // it fuses with one of them
        {"mul.f32 %f3, %f1, %f2; add.f32 %f4, %f1, %f2;", 2, 0},  // of something else
        {"mul.f64 %d3, %d1, %d2; add.f64 %d4, %d3, %d1; mul.rn.f32 %f3, %f1, %f2;", 1, 1},
        {"fma.rn.f32 %f3, %f1, %f2, %f1; add.f32 %f4, %f3, %f1;", 2, 0},
    };
    for (const Case& c : cases) {
        const std::optional<Bounds> bounds = boundsOfInstructions(c.body, 100);
        ASSERT_TRUE(bounds);
        const auto amount = [&](std::string_view resource) {
            return find(*bounds, resource) ? find(*bounds, resource)->amount : 0;
        };
        EXPECT_EQ(amount("fp32"), 3200 * c.fp32) << c.body;
        EXPECT_EQ(amount("fp64"), 3200 * c.fp64) << c.body;
        EXPECT_EQ(amount("issue_slots"), 100 * (c.fp32 + c.fp64)) << c.body;
    }
}

// The peak that ncu assumes for an H200: tests/data/l2.
TEST(Bounds, TheH200sL2IsTheOneThatWasMeasured) {
    EXPECT_EQ(defaultProfile().speed->l2ReadMBPerSecond, 10'280'000u);
    EXPECT_FALSE(findProfile("cc80")->speed->l2ReadMBPerSecond) << "no source";
}

// An empty kernel took 3035 to 3530 clocks on an H200, of 1980 MHz.
TEST(Bounds, AShortTimeIsThatOfTheLaunch) {
    const Speed& speed = *defaultProfile().speed;
    ASSERT_TRUE(speed.launchMilliseconds());
    EXPECT_NEAR(*speed.launchMilliseconds(), 0.00167, 0.00001);
    EXPECT_TRUE(speed.isMostlyLaunch(0.0018));
    EXPECT_FALSE(speed.isMostlyLaunch(0.0034)) << "more than as much again";
    EXPECT_FALSE(findProfile("cc80")->speed->isMostlyLaunch(0.0018)) << "not measured there";
}

TEST(Bounds, CountNoMoreMultiprocessorsThanBlocks) {
    const ptx::Module module = testModule();
    trace::Recording recording = testRecording();
    recording.launches[0].grid = {1, 1, 1};
    Report report;
    report.counters = {{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld", 4'000'000}};
    const std::optional<Bounds> bounds = boundsOf(module, recording, report, {}, simpleProfile());
    ASSERT_TRUE(bounds && bounds->binding());
    EXPECT_DOUBLE_EQ(bounds->binding()->leastMs(), 4.0);
}

TEST(Bounds, SayThatTheyAreNoPrediction) {
    Bounds bounds;
    bounds.all.push_back({"shared_memory", 4e6, "wavefronts", 2e9});
    EXPECT_EQ(describe(bounds, {}).english(),
              "The kernel cannot take less than 2.00 ms: shared memory alone needs that long. This is a "
              "lower bound, "
              "not a prediction.");
    EXPECT_EQ(describe(bounds, 5.0).english(),
              "The kernel cannot take less than 2.00 ms: shared memory alone needs that long. This is a "
              "lower bound, "
              "not a prediction. "
              "Measured: 5.00 ms, 2.50 times the lower bound.");
    EXPECT_EQ(describe(bounds, 5.0).in(Language::Chinese),
              "核函数用时不会少于 2.00 ms：仅共享内存就需要这么久。这是下界，不是预测。实测 5.00 "
              "ms，是下界的 2.50 倍。");
    EXPECT_EQ(describe(Bounds{}, {}).english(),
              "Nothing that this run did takes a time that can be bounded.");
}

TEST(Bounds, SayThatALaunchIsPartOfAShortTime) {
    Bounds bounds;
    bounds.all.push_back({"shared_memory", 4, "wavefronts", 2e9});
    bounds.launches = 1;
    EXPECT_TRUE(launchText(bounds, 0.0019).empty()) << "no empty kernel was measured there";
    bounds.launchMs = 0.00167;
    EXPECT_EQ(launchText(bounds, 0.0019).english(),
              "The bound leaves out launch overhead: an empty kernel already takes about 1.67 µs.");
    EXPECT_TRUE(launchText(bounds, 0.01).empty()) << "a small part of it";
    bounds.launches = 3;
    EXPECT_EQ(launchText(bounds, 0.01).english(),
              "The bound leaves out the overhead of 3 launches: an empty kernel "
              "already takes about 1.67 µs per launch.");
}

TEST(Bounds, NeedAClock) {
    Profile profile = defaultProfile();
    profile.speed.reset();
    EXPECT_FALSE(boundsOf(testModule(), testRecording(), {}, {}, profile));
}

TEST(Roofline, IsLimitedByMemoryBelowTheRidgeAndByArithmeticAbove) {
    RooflinePoint point{.operations = 1000, .bytes = 100, .peakOperationsPerSecond = 64, .bytesPerSecond = 8};
    EXPECT_DOUBLE_EQ(point.operationsPerByte(), 10);
    EXPECT_DOUBLE_EQ(point.attainable(), 64);
    point.bytes = 1000;
    EXPECT_DOUBLE_EQ(point.attainable(), 8);
}

TEST(Bounds, EveryProfileHasASpeed) {
    for (const Profile& profile : profiles())
        EXPECT_TRUE(profile.speed) << profile.name;
}

}  // namespace
}  // namespace lockstep::model
