#include "model/report.h"

#include "model/metrics.h"
#include "model/test_kernel.h"

#include <gtest/gtest.h>

namespace lockstep::model {
namespace {

using trace::AccessKind;
using trace::Pattern;
using trace::SiteCounts;
using trace::Space;

Pattern pattern(u64 strideBytes, u64 times, u32 baseMod256 = 0, LaneMask active = LaneMask::all()) {
    Pattern p{.active = active, .baseMod256 = u8(baseMod256), .deltaBytes = {}, .times = times};
    for (Lane lane : active)
        p.deltaBytes[lane.value] = s64(strideBytes) * (s64(lane.value) - s64(active.lowest().value));
    return p;
}

// Two warps' worth of everything the kernel has, in counts small enough to add up by hand.
trace::Recording counted(const ptx::Module& module) {
    trace::Recording recording = testRecording();
    trace::GridCounts counts;
    counts.perPc.resize(module.instructions.size());
    counts.warpInstructions = 40;
    counts.threadInstructions = 1200;
    for (u32 pc = 0; pc < counts.perPc.size(); ++pc)
        counts.perPc[pc] = {.executions = 2, .activeLanes = 60, .divergent = 0};
    counts.perPc[pcOf(module, "bra").value].divergent = 1;
    const auto site = [&](std::string_view name, Space space, AccessKind kind,
                          std::vector<Pattern> patterns) {
        SiteCounts counted{.pc = pcOf(module, name),
                           .space = space,
                           .kind = kind,
                           .widthBytes = 4,
                           .patterns = std::move(patterns)};
        counts.sites.push_back(std::move(counted));
    };
    // Loads: 10 rows (4 sectors), 3 shifted rows (5), and 5 executions beyond the table with 7 sectors in
    // all.
    site("ld.global.f32", Space::Global, AccessKind::Load, {pattern(4, 10), pattern(4, 3, 132)});
    counts.sites.back().overflowExecutions = 5;
    counts.sites.back().overflowActiveLanes = 6;
    counts.sites.back().overflow = {.requests = 5, .sectors = 7};
    site("st.shared.f32", Space::Shared, AccessKind::Store, {pattern(8, 4)});  // 2 wavefronts, 1 ideal
    site("ld.shared.f32", Space::Shared, AccessKind::Load, {pattern(128, 1), pattern(4, 9)});  // 32 and 1
    site("atom.shared.add.u32", Space::Shared, AccessKind::Reduction,
         {pattern(0, 6)});  // adds 1, unused: counted at once
    site("atom.shared.add.f32", Space::Shared, AccessKind::Atomic,
         {pattern(4, 5)});  // loop: 1 load, 2 atomic
    site("st.global.f32", Space::Global, AccessKind::Store, {pattern(32, 2, 0, LaneMask{0x80000001u})});
    recording.counts.push_back(std::move(counts));
    return recording;
}

TEST(Report, CountsOnlyWhatHasANameInWords) {
    const ptx::Module module = testModule();
    for (const auto& [key, value] : makeReport(module, counted(module), defaultProfile()).counters)
        EXPECT_NE(findMetric(key), nullptr) << key;
}

TEST(Report, SumsPatternsIntoNcuCounters) {
    const ptx::Module module = testModule();
    const Report report = makeReport(module, counted(module), defaultProfile());
    const std::map<std::string, u64> expected = {
        {"l1tex__t_requests_pipe_lsu_mem_global_op_ld", 18},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld", 10 * 4 + 3 * 5 + 7},
        {"l1tex__t_requests_pipe_lsu_mem_global_op_st", 2},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_st", 4},
        {"l1tex__t_requests_pipe_lsu_mem_global_op_atom", 0},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_atom", 0},
        {"l1tex__t_requests_pipe_lsu_mem_global_op_red", 0},
        {"l1tex__t_sectors_pipe_lsu_mem_global_op_red", 0},
        {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld", 32 + 9 + 5},  // 5: loads of the atomics' loop
        {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld", 31},
        {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st", 8},
        {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st", 4},
        {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom", 6 + 10},
        {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom", 0},
        {"ptx__inst_executed", 40},
        {"ptx__thread_inst_executed", 1200},
        {"ptx__branches_divergent", 1},
    };
    EXPECT_EQ(report.counters, expected);
    EXPECT_EQ(report.profile, "cc90");
}

TEST(Report, ListsSitesAsWritten) {
    const ptx::Module module = testModule();
    const Report report = makeReport(module, counted(module), defaultProfile());
    ASSERT_EQ(report.sites.size(), 6u);
    const SiteReport& load = report.sites[0];
    EXPECT_EQ(load.opcode, "ld.global.f32");
    EXPECT_EQ(load.text, "ld.global.f32 %f1, [%rd2]");
    EXPECT_EQ(load.file, "mm.cu");
    EXPECT_EQ(load.line, 6u);
    EXPECT_EQ(load.executions, 18u);
    EXPECT_EQ(load.activeLanes, 13u * 32 + 6);
    EXPECT_EQ(load.requests, 18u);
    EXPECT_EQ(load.sectors, 62u);
    EXPECT_EQ(load.wavefronts + load.idealWavefronts, 0u);
    const SiteReport& sharedLoad = report.sites[2];
    EXPECT_EQ(sharedLoad.wavefronts, 41u);
    EXPECT_EQ(sharedLoad.idealWavefronts, 10u);
    EXPECT_EQ(sharedLoad.requests + sharedLoad.sectors, 0u);
    EXPECT_EQ(report.sites[5].activeLanes, 4u);
}

TEST(Report, GivesCodeOfNoLineToTheLineBeforeIt) {
    const Expected<ptx::Module> module = ptx::parse(R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry first(.param .u64 p) {
    .reg .b32 %r<4>;
    .loc 1 3 1
    mov.u32 %r1, 1;
    .loc 1 0 1
    rem.u32 %r2, %r1, %r1;
    add.u32 %r3, %r2, %r1;
    ret;
}
.visible .entry second(.param .u64 p) {
    .loc 1 0 1
    ret;
}
.file 1 "split.cu"
)",
                                                    "split.ptx");
    ASSERT_TRUE(module) << describe(module.error());
    EXPECT_EQ(sourceLineOf(Pc{1}, *module), (SourceLine{1, 3}));
    EXPECT_EQ(sourceLineOf(Pc{2}, *module), (SourceLine{1, 3}));
    EXPECT_EQ(sourceLineOf(Pc{4}, *module).line, 0u) << "the line of another kernel is not its own";
}

TEST(Report, GivesCodeOfNoLineInAnElseToTheLineAfterIt) {
    const Expected<ptx::Module> module = ptx::parse(R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry branches(.param .u64 p) {
    .reg .b32 %r<4>;
    .reg .pred %p<2>;
    .loc 1 3 1
    setp.eq.u32 %p1, %r1, 1;
    @%p1 bra $Else;
    .loc 1 4 1
    mov.u32 %r2, 1;
    bra.uni $End;
$Else:
    .loc 1 0 1
    mov.u32 %r3, 2;
    .loc 1 6 1
    mov.u32 %r2, 2;
$End:
    .loc 1 0 1
    add.u32 %r2, %r2, %r3;
    .loc 1 8 1
    ret;
}
.file 1 "else.cu"
)",
                                                    "else.ptx");
    ASSERT_TRUE(module) << describe(module.error());
    EXPECT_EQ(sourceLineOf(Pc{4}, *module).line, 6u) << "not 4, which the other way is of";
    EXPECT_EQ(sourceLineOf(Pc{6}, *module).line, 6u) << "both ways lead there: a store that they share, say";
}

TEST(Report, GivesInlinedCodeToTheKernelsOwnFile) {
    const ptx::Module module = testModule();
    EXPECT_EQ(sourceLineOf(pcOf(module, "ld.shared.f32"), module).line,
              8u);  // from a header: the line that calls it
    EXPECT_EQ(sourceLineOf(pcOf(module, "div.s32"), module).line,
              30u);  // a function of this file: its own line
    EXPECT_EQ(sourceLineOf(pcOf(module, "ret"), module).line, 12u);
    EXPECT_EQ(sourceLineOf(Pc{9999}, module).line, 0u);

    const Report report = makeReport(module, counted(module), defaultProfile());
    std::string lines;
    for (const LineReport& line : report.lines)
        lines += std::to_string(line.line) + " ";
    EXPECT_EQ(lines, "5 6 7 8 10 11 12 30 ");
    const LineReport& branch = report.lines[4];
    EXPECT_EQ(branch.executions, 4u);
    EXPECT_EQ(branch.activeLanes, 120u);
    EXPECT_EQ(branch.divergent, 1u);
    EXPECT_EQ(report.lines[1].sectors, 62u);
    EXPECT_EQ(report.lines[3].wavefronts, 41u);
    EXPECT_EQ(report.lines[3].idealWavefronts, 10u);
}

TEST(Report, OfOlderDevicesCountsTransactionsOnlyInSites) {
    const ptx::Module module = testModule();
    const Report report = makeReport(module, counted(module), *findProfile("cc12"));
    EXPECT_EQ(report.sites[0].sectors,
              10u * 2 + 3 * 3 + 7);  // a row: two 64-byte segments; shifted by a word: three
    EXPECT_FALSE(report.counters.contains("l1tex__t_sectors_pipe_lsu_mem_global_op_ld"));
}

TEST(Report, TellsTheOccupancyOfTheFirstLaunch) {
    const ptx::Module module = testModule();
    trace::Recording recording = counted(module);
    recording.launches[0].grid = {1000, 1, 1};
    recording.launches[0].dynamicSharedBytes = 40000;
    const Report report = makeReport(module, recording, defaultProfile());
    EXPECT_EQ(report.occupancy.blocksPerSm, 5u);  // 228 KB / (40,048 + 1,024 rounded up to 128)
    EXPECT_EQ(report.occupancy.limitedBy, "shared memory");
    EXPECT_EQ(makeReport(module, recording, defaultProfile(), 255).occupancy.blocksPerSm, 5u);
}

TEST(Report, OfNothingIsEmpty) {
    const ptx::Module module = testModule();
    const Report report = makeReport(module, {}, defaultProfile());
    EXPECT_TRUE(report.sites.empty() && report.lines.empty());
    EXPECT_EQ(report.counters.at("ptx__inst_executed"), 0u);
}

}  // namespace
}  // namespace lockstep::model
