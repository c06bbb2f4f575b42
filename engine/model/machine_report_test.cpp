#include "model/machine_report.h"

#include "model/machine_accesses.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::model {
namespace {

// Loads a row of four words of shared memory (pcs 3 to 6), a fifth word with no neighbor that is loaded (7)
// and the first again (8); then stores conditionally (10, 11) and loops (13).
constexpr const char* kPtx = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry f(.param .u64 p)
{
    .reg .pred %p<3>;
    .reg .b32 %r<8>;
    .reg .f32 %f<8>;
    .reg .b64 %rd<2>;
    .shared .align 16 .b8 tile[128];
    ld.param.u64 %rd1, [p];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, tile;
    ld.shared.f32 %f1, [%r2];
    ld.shared.f32 %f2, [%r2+4];
    ld.shared.f32 %f3, [%r2+8];
    ld.shared.f32 %f4, [%r2+12];
    ld.shared.f32 %f5, [%r2+32];
    ld.shared.f32 %f6, [%r2];
    setp.lt.u32 %p1, %r1, 3;
    @%p1 bra L;
    st.shared.f32 [%r2+64], %f5;
L:  add.u32 %r1, %r1, 1;
    setp.lt.u32 %p2, %r1, 40;
    @%p2 bra L;
    ret;
}
)";

struct Line {
    const char* guard;
    const char* opcode;
    u32 pc;
    const char* operands = "";
};

sass::MachineCode code(std::initializer_list<Line> lines) {
    sass::MachineCode code{.compiler = "ptxas by hand",
                           .computeCapability = 90,
                           .functions = {{.name = "f", .instructions = {}, .registers = 40}}};
    for (const Line& line : lines)
        code.functions[0].instructions.push_back(
            {.offsetBytes = u32(16 * code.functions[0].instructions.size()),
             .guard = line.guard,
             .opcode = line.opcode,
             .operands = line.operands,
             .pc = Pc{line.pc}});
    return code;
}

class MachineCodeOf : public testing::Test {
protected:
    void SetUp() override {
        Expected<ptx::Module> parsed = ptx::parse(kPtx, "f.ptx");
        ASSERT_TRUE(parsed) << describe(parsed.error());
        module_ = std::move(*parsed);
        ASSERT_EQ(module_.textOf(Pc{10}), "@%p1 bra L");
    }
    MachineAccesses accesses(const sass::MachineCode& machine) {
        auto found = machineAccesses(module_, *module_.findEntry("f"), 0, machine);
        EXPECT_TRUE(found);
        return found.value_or(MachineAccesses{});
    }
    ptx::Module module_;
};

TEST_F(MachineCodeOf, AWideLoadStandsForTheNeighborsThatAreGone) {
    // ptxas named the third of the four.
    const MachineAccesses found =
        accesses(code({{"", "LDS.128", 5}, {"", "LDS", 7}, {"", "LDS", 8}, {"@!P0", "STS", 11}}));
    ASSERT_EQ(found.merged.size(), 1u);
    EXPECT_EQ(found.merged[0].first, Pc{5});
    EXPECT_EQ(found.merged[0].widthBytes, 16);
    EXPECT_EQ(found.merged[0].offsetBytes, -8) << "16 bytes that begin where the first of them does";
    EXPECT_EQ(found.merged[0].members, (std::vector<Pc>{Pc{3}, Pc{4}, Pc{5}, Pc{6}}));
    EXPECT_TRUE(found.removed.empty());
    EXPECT_TRUE(found.unclear.empty());
}

TEST_F(MachineCodeOf, WhatIsGoneWithoutAWideNeighborWasRemoved) {
    const MachineAccesses found =
        accesses(code({{"", "LDS.64", 3}, {"", "LDS.64", 5}, {"", "LDS", 8}, {"@!P0", "STS", 11}}));
    ASSERT_EQ(found.merged.size(), 2u);
    EXPECT_EQ(found.merged[0].members, (std::vector<Pc>{Pc{3}, Pc{4}}));
    EXPECT_EQ(found.merged[1].members, (std::vector<Pc>{Pc{5}, Pc{6}}));
    EXPECT_EQ(found.removed, std::vector<Pc>{Pc{7}});
}

// ptxas gives two accesses the line of one of them.
TEST_F(MachineCodeOf, TwoAccessesUnderOneNameAreToldByTheirAddresses) {
    const MachineAccesses told = accesses(code({{"", "LDS.128", 3, "R4, [R2]"},
                                                {"", "LDS", 8, "R9, [R2]"},
                                                {"", "LDS", 8, "R10, [R2+0x20]"},
                                                {"@!P0", "STS", 11, "[R2+0x40], R9"}}));
    EXPECT_TRUE(told.removed.empty()) << "the fifth word, 32 bytes behind the one whose name it has";
    EXPECT_TRUE(told.unclear.empty());
    EXPECT_EQ(accesses(code({{"", "LDS.128", 3, "R4, [R2]"},
                             {"", "LDS", 8, "R9, [R2]"},
                             {"", "LDS", 8, "R10, [R3]"},
                             {"@!P0", "STS", 11}}))
                  .unclear,
              std::vector<Pc>{Pc{7}})
        << "of another base nobody knows which it is, nor that it is gone";
    EXPECT_EQ(accesses(code({{"", "LDS.128", 3, "R4, [R2+-0x10]"},
                             {"", "LDS", 8, "R9, [R2+-0x10]"},
                             {"@!P0", "STS", 11}}))
                  .removed,
              std::vector<Pc>{Pc{7}});
    const MachineAccesses mixed = accesses(code({{"", "LDS.64", 3, "R4, [R2]"},
                                                 {"", "LDS", 3, "R6, [R2+0x8]"},
                                                 {"", "LDS", 6, "R7, [R2+0xc]"},
                                                 {"", "LDS", 7},
                                                 {"", "LDS", 8},
                                                 {"@!P0", "STS", 11}}));
    EXPECT_EQ(mixed.unclear, (std::vector<Pc>{Pc{4}, Pc{3}}))
        << "the second word may be of the first's eight bytes";
    EXPECT_TRUE(mixed.removed.empty());
}

TEST_F(MachineCodeOf, CopiesOfDifferentWidthsSettleNothing) {
    const MachineAccesses found = accesses(code({{"", "LDS.128", 3},
                                                 {"", "LDS", 3},
                                                 {"", "LDS", 4},
                                                 {"", "LDS", 5},
                                                 {"", "LDS", 6},
                                                 {"", "LDS.128", 7},
                                                 {"", "LDS", 8},
                                                 {"", "STS", 11}}));
    EXPECT_TRUE(found.merged.empty());
    EXPECT_EQ(
        accesses(
            code({{"", "LDS.128", 3}, {"", "LDS.64", 5}, {"", "LDS", 7}, {"", "LDS", 8}, {"", "STS", 11}}))
            .unclear,
        std::vector<Pc>{Pc{3}})
        << "two words do not fill 16 bytes";
    EXPECT_EQ(found.unclear, (std::vector<Pc>{Pc{3}, Pc{7}}))
        << "and a wide one that stands for no other may stand for several turns";
}

TEST_F(MachineCodeOf, AnEntryThatIsNotThereSaysNothing) {
    EXPECT_FALSE(machineAccesses(module_, *module_.findEntry("f"), 0, sass::MachineCode{}));
    EXPECT_FALSE(machineBranchForm(module_, Pc{10}, sass::MachineCode{}));
}

TEST_F(MachineCodeOf, ABranchIsWhatItsJumpSays) {
    EXPECT_EQ(machineBranchForm(module_, Pc{10}, code({{"@!P0", "STS", 11}, {"@P0", "BRA", 14}})),
              BranchForm::Predication);
    EXPECT_EQ(machineBranchForm(module_, Pc{10}, code({{"@P0", "BRA", 10}, {"", "STS", 11}})),
              BranchForm::Branch);
    EXPECT_EQ(machineBranchForm(module_, Pc{10}, code({{"@P0", "EXIT", 10}, {"", "STS", 11}})),
              BranchForm::Exit);
    EXPECT_EQ(machineBranchForm(module_, Pc{14}, code({{"@P0", "BRA", 14}})), BranchForm::Branch);
    EXPECT_EQ(machineBranchForm(module_, Pc{10}, code({{"", "STS", 11}})), std::nullopt);
}

TEST_F(MachineCodeOf, AReportFollowsItAndSaysWhereTheModelExpectedOtherwise) {
    trace::Recording recording;
    Launch launch;
    launch.entry = "f";
    launch.grid = {1, 1, 1};
    launch.block = {32, 1, 1};
    recording.launches = {launch};
    trace::GridCounts counts;
    counts.perPc.resize(module_.instructions.size());
    counts.perPc[10] = {.executions = 1, .activeLanes = 32, .divergent = 1};
    for (u32 pc = 3; pc <= 8; ++pc) {
        trace::SiteCounts site{};
        site.pc = Pc{pc};
        site.space = trace::Space::Shared;
        site.kind = trace::AccessKind::Load;
        site.widthBytes = 4;
        trace::Pattern pattern{};
        pattern.active = LaneMask::all();
        pattern.baseMod256 = u8(pc < 7 ? 4 * (pc - 3) : pc == 7 ? 32 : 0);
        pattern.times = 10;
        site.patterns.push_back(pattern);
        counts.sites.push_back(site);
    }
    recording.counts.push_back(std::move(counts));

    // A broadcast of one word, or of 16 bytes to all lanes (two groups of 16 lanes): HARDWARE rules measured
    // on an H200.
    const MachineReport read =
        machineReport(module_, recording, defaultProfile(),
                      code({{"", "LDS.64", 3}, {"", "LDS.64", 5}, {"@P0", "BRA", 10}, {"", "STS", 11}}));
    const std::string loads = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld";
    EXPECT_EQ(read.report.counters.at(loads), 20u)
        << "two of 8 bytes, ten times; nothing of what was removed";
    EXPECT_EQ(makeReport(module_, recording, defaultProfile()).counters.at(loads), 40u)
        << "expected: one of 16 bytes in two, two of 4";
    EXPECT_EQ(read.removed, (std::vector<MachineReport::Place>{{LaunchId{0}, Pc{7}}}));
    std::string differences;
    for (const MachineReport::Difference& difference : read.differences)
        differences += std::to_string(difference.at.pc.value) + ": " + difference.modelled + " -> " +
                       difference.machine + "; ";
    EXPECT_EQ(differences,
              "3: 16 bytes -> 8 bytes; 4: 16 bytes -> 8 bytes; 5: 16 bytes -> 8 bytes; 6: 16 bytes -> 8 "
              "bytes; 7: 4 bytes -> none; 8: 4 bytes -> 8 bytes; 10: predication -> branch; ");
    const auto siteAt = [&](u32 pc) {
        return *std::ranges::find(read.report.sites, Pc{pc}, &SiteReport::pc);
    };
    EXPECT_TRUE(siteAt(3).fromMachineCode && siteAt(7).fromMachineCode);
    EXPECT_EQ(siteAt(3).machineExecutions(), 10u);
    EXPECT_EQ(siteAt(4).machineExecutions(), 0u) << "made with the first";
    EXPECT_TRUE(siteAt(7).removed);
    EXPECT_EQ(siteAt(7).machineWavefronts(), 0u);
    ASSERT_EQ(read.report.branches.size(), 1u);
    EXPECT_TRUE(read.report.branches[0].fromMachineCode);
    for (const SiteReport& site : makeReport(module_, recording, defaultProfile()).sites)
        EXPECT_FALSE(site.fromMachineCode);
    // If the machine's copies of an access differ, the model's prediction stays and is marked as one.
    const MachineReport unclear =
        machineReport(module_, recording, defaultProfile(),
                      code({{"", "LDS.128", 3}, {"", "LDS", 3}, {"", "LDS", 7}, {"", "LDS", 8}}));
    EXPECT_FALSE(unclear.report.sites.front().fromMachineCode);
    EXPECT_TRUE(unclear.report.sites.front().merged);
    EXPECT_TRUE(std::ranges::find(unclear.report.sites, Pc{7}, &SiteReport::pc)->fromMachineCode);
    EXPECT_FALSE(unclear.report.branches[0].fromMachineCode) << "no jump, no guard";
    EXPECT_EQ(read.report.occupancy.limitedBy,
              occupancy({.threads = 32, .sharedBytes = 128, .registersPerThread = 40, .gridBlocks = 1},
                        defaultProfile())
                  .limitedBy);
}

}  // namespace
}  // namespace lockstep::model
