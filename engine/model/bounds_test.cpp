#include "model/bounds.h"

#include "model/test_kernel.h"

#include <gtest/gtest.h>

namespace lockstep::model {
namespace {

// A device that is easy to reckon with: 2 multiprocessors at 1 GHz, 1 GB/s.
Profile simpleProfile() {
    Profile profile = defaultProfile();
    profile.multiprocessors = 2;
    profile.speed = Speed{.clockMhz = 1000, .memoryMBPerSecond = 1000, .fp32Lanes = 128, .fp64Lanes = 64, .issueLanes = 128};
    return profile;
}

const Bound* find(const Bounds& bounds, std::string_view resource) {
    for (const Bound& bound : bounds.all)
        if (bound.resource == resource) return &bound;
    return nullptr;
}

// The test kernel with a million executions of ld.global and 4 million wavefronts: 2 ms on two multiprocessors.
TEST(Bounds, AreWhatEachResourceNeedsAtLeast) {
    const ptx::Module module = testModule();
    trace::Recording recording = testRecording();
    recording.counts.emplace_back().perPc.resize(module.instructions.size());
    recording.counts[0].perPc[pcOf(module, "ld.global.f32").value] = {.executions = 1'000'000, .activeLanes = 32'000'000, .divergent = 0};
    Report report;
    report.counters = {{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld", 3'000'000},
                       {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st", 1'000'000},
                       {"dram__sectors_read", 1000}};
    const std::optional<Bounds> bounds = boundsOf(module, recording, report, simpleProfile());
    ASSERT_TRUE(bounds);
    ASSERT_TRUE(find(*bounds, "shared_memory"));
    EXPECT_DOUBLE_EQ(find(*bounds, "shared_memory")->leastMs(), 2.0);
    // 4 warp instructions a clock on each of 2 multiprocessors: a million in 125 000 clocks.
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

// 3 million sectors of 32 bytes at 12 GB/s: 8 ms. Stores are not what it bounds.
TEST(Bounds, KnowWhatL2GivesWhereASourceSaysIt) {
    Profile profile = simpleProfile();
    profile.speed->l2ReadMBPerSecond = 12'000;
    Report report;
    report.counters = {{"lts__t_sectors_srcunit_tex_op_read", 3'000'000}, {"lts__t_sectors_srcunit_tex_op_write", 5'000'000}, {"dram__sectors_read", 1000}};
    const std::optional<Bounds> bounds = boundsOf(testModule(), testRecording(), report, profile);
    ASSERT_TRUE(bounds && bounds->knowsL2 && bounds->binding());
    EXPECT_EQ(bounds->binding()->resource, "l2");
    EXPECT_DOUBLE_EQ(bounds->binding()->amount, 96e6);
    EXPECT_DOUBLE_EQ(bounds->binding()->leastMs(), 8.0);
    EXPECT_EQ(describe(*bounds, {}).en, "It cannot take less than 8 ms: reading from the L2 cache alone needs that long. A bound, not a prediction.");
}

// What ncu takes for the most on an H200: tests/data/l2.
TEST(Bounds, TheH200sL2IsTheOneThatWasMeasured) {
    EXPECT_EQ(defaultProfile().speed->l2ReadMBPerSecond, 10'280'000u);
    EXPECT_FALSE(findProfile("cc80")->speed->l2ReadMBPerSecond) << "no source";
}

TEST(Bounds, CountNoMoreMultiprocessorsThanBlocks) {
    const ptx::Module module = testModule();
    trace::Recording recording = testRecording();
    recording.launches[0].grid = {1, 1, 1};
    Report report;
    report.counters = {{"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld", 4'000'000}};
    const std::optional<Bounds> bounds = boundsOf(module, recording, report, simpleProfile());
    ASSERT_TRUE(bounds && bounds->binding());
    EXPECT_DOUBLE_EQ(bounds->binding()->leastMs(), 4.0);
}

TEST(Bounds, SayThatTheyAreNoPrediction) {
    Bounds bounds;
    bounds.all.push_back({"shared_memory", 4e6, "wavefronts", 2e9});
    EXPECT_EQ(describe(bounds, {}).en,
              "It cannot take less than 2 ms: shared memory alone needs that long. A bound, not a prediction.");
    EXPECT_EQ(describe(bounds, 5.0).en, "It cannot take less than 2 ms: shared memory alone needs that long. A bound, not a prediction. "
                                        "Measured: 5 ms, 2.5 times the bound.");
    EXPECT_EQ(describe(bounds, 5.0).zh, "时间不会少于 2 ms：仅共享内存就需要这么久。这是下界，不是预测。实测 5 ms，是下界的 2.5 倍。");
    EXPECT_EQ(describe(Bounds{}, {}).en, "Nothing that this run did takes a time that can be bounded.");
}

TEST(Bounds, NeedAClock) {
    Profile profile = defaultProfile();
    profile.speed.reset();
    EXPECT_FALSE(boundsOf(testModule(), testRecording(), {}, profile));
}

TEST(Roofline, IsLimitedByMemoryBelowTheRidgeAndByArithmeticAbove) {
    RooflinePoint point{.operations = 1000, .bytes = 100, .peakOperationsPerSecond = 64, .bytesPerSecond = 8};
    EXPECT_DOUBLE_EQ(point.operationsPerByte(), 10);
    EXPECT_DOUBLE_EQ(point.attainable(), 64);
    point.bytes = 1000;
    EXPECT_DOUBLE_EQ(point.attainable(), 8);
}

TEST(Bounds, EveryProfileHasASpeed) {
    for (const Profile& profile : profiles()) EXPECT_TRUE(profile.speed) << profile.name;
}

}  // namespace
}  // namespace lockstep::model
