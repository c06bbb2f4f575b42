// Which branches of the divergence family split a warp, and what the lanes do meanwhile.
#include "explain/inactive_lanes/inactive_lanes.h"
#include "support/run_shipped.h"

#include <filesystem>
#include <fstream>

namespace lockstep {
namespace {

struct Figures {
    u64 divergent = 0;    // branches that split a warp
    f64 lanesAtWork = 0;  // of 32, on average
};

Figures figuresOf(const std::string& variant, const Settings& settings = {}) {
    const Expected<run::Run> run = runShipped("divergence/" + variant, settings);
    if (!run) {
        ADD_FAILURE() << describe(run.error());
        return {};
    }
    EXPECT_EQ(run->correct(), true) << variant;
    const auto counter = [&](const char* name) { return run->report.counters.at(name); };
    return {counter("ptx__branches_divergent"),
            f64(counter("ptx__thread_inst_executed")) / f64(counter("ptx__inst_executed"))};
}

TEST(Divergence, AWarpSplitsWhereItsOwnLanesPartAndNowhereElse) {
    constexpr u64 kWarps = 4;  // n at its default
    EXPECT_EQ(figuresOf("parity").divergent, kWarps);
    EXPECT_EQ(figuresOf("unequal").divergent, kWarps);
    EXPECT_EQ(figuresOf("early-return").divergent, kWarps);
    EXPECT_EQ(figuresOf("early-return", {{"working", "32"}}).divergent, 0u);
    EXPECT_EQ(figuresOf("by-warp").divergent, 0u);
}

// A lane that comes to a branch executes it, whether it jumps or not: in the counters, the lines and the
// views.
TEST(Divergence, ThreadInstructionsAreTheLanesThatTheViewsShow) {
    for (const char* variant : {"parity", "unequal", "early-return", "by-warp", "trip-counts"}) {
        SCOPED_TRACE(variant);
        const Expected<run::Run> run = runShipped(std::string("divergence/") + variant, {});
        ASSERT_TRUE(run) << describe(run.error());
        u64 lanes = 0, steps = 0, ofLines = 0;
        for (const trace::FocusBlock& block : run->recording.trace.blocks)
            for (const trace::WarpTrace& warp : block.warps)
                for (u32 step = 0; step < warp.steps.size(); ++step, ++steps)
                    lanes += u64(explain::lanesAtWork(*run->module, warp, step).count());
        for (const model::LineReport& line : run->report.lines)
            ofLines += line.activeLanes;
        ASSERT_EQ(steps, run->report.counters.at("ptx__inst_executed")) << "every block is recorded";
        EXPECT_EQ(lanes, run->report.counters.at("ptx__thread_inst_executed"));
        EXPECT_EQ(ofLines, lanes);
        EXPECT_EQ(run->statistics.threadInstructions, lanes);
    }
}

TEST(Divergence, LongBranchesLeaveAsFewLanesAtWorkAsTakeThem) {
    const Settings longBranches{{"steps", "64"}};
    // Half of the lanes in each branch of two, a quarter in each of four, one lane alone; what all do
    // together is short.
    EXPECT_NEAR(figuresOf("parity", longBranches).lanesAtWork, 16, 1);
    EXPECT_NEAR(figuresOf("switch-by-lane", longBranches).lanesAtWork, 8, 1);
    EXPECT_LT(figuresOf("unequal", longBranches).lanesAtWork, 4);
    EXPECT_GT(figuresOf("by-warp", longBranches).lanesAtWork, 31);
}

// Counted on an H200 (driver 580, CUDA 13.0). Threads that return within a loop, a switch or a branch are not
// waited for: the others meet.
TEST(Divergence, ThreadsThatReturnEarlyKeepNobodyApart) {
    struct Case {
        const char* entry;
        std::vector<std::string> arguments;
        u32 blocks;
        u64 loads, loadedSectors, stores, storedSectors;
    };
    const Case cases[] = {
        {"earlyret", {"i32[128]=random", "i32:100"}, 2, 8, 26, 16, 45},
        {"sw", {"i32[64]=random"}, 1, 2, 8, 2, 8},
        {"nested", {"i32[4096]=random", "i32[4096]=random", "i32:64"}, 2, 650, 777, 326, 400}};
    for (const Case& c : cases) {
        run::FileRequest request;
        request.file = std::string(LOCKSTEP_SOURCE_DIR) + "/tests/ptx/early_returns.ptx";
        request.entry = c.entry;
        request.grid = {c.blocks, 1, 1};
        request.block = {64, 1, 1};
        request.arguments = c.arguments;
        Expected<run::Experiment> experiment = run::open(request);
        ASSERT_TRUE(experiment) << describe(experiment.error());
        const Expected<run::Run> run = run::run(std::move(*experiment), {});
        ASSERT_TRUE(run) << describe(run.error());
        const auto counter = [&](const char* name) {
            return run->report.counters.at(std::string("l1tex__t_") + name);
        };
        EXPECT_EQ(counter("requests_pipe_lsu_mem_global_op_ld"), c.loads) << c.entry;
        EXPECT_EQ(counter("sectors_pipe_lsu_mem_global_op_ld"), c.loadedSectors) << c.entry;
        EXPECT_EQ(counter("requests_pipe_lsu_mem_global_op_st"), c.stores) << c.entry;
        EXPECT_EQ(counter("sectors_pipe_lsu_mem_global_op_st"), c.storedSectors) << c.entry;
    }
}

// Of an unequal branch by hand: 4 of 32 lanes jump to two additions (28 sit out each), the others have three
// and a jump (4 sit out each of the four): 2 x 28 + 4 x 4 = 72. With the condition turned round the sides are
// exchanged: 2 x 4 + 4 x 28 = 120.
TEST(Divergence, LanesLostAreThoseThatSitOutEachSide) {
    const auto branch = [](const char* condition) {
        const std::string text =
            std::string(
                ".version 7.0\n.target sm_52\n.address_size 64\n.visible .entry k(.param .u64 p) { .reg .b64 "
                "%rd<6>; .reg .b32 %r<9>; .reg .pred %p<3>;\n"
                "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r2, 0; setp.lt.u32 %p1, %r1, 4; ") +
            condition +
            " bra A; add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 2; add.u32 %r2, %r2, 3; bra.uni M; A: add.u32 "
            "%r2, %r2, 5; add.u32 %r2, %r2, 6;\n"
            "M: mul.wide.u32 %rd3, %r1, 4; add.u64 %rd4, %rd1, %rd3; st.global.u32 [%rd4], %r2; ret; }";
        const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "unequal_branch.ptx";
        std::ofstream(file) << text;
        Expected<run::Experiment> experiment = run::open(run::FileRequest{.file = file,
                                                                          .entry = {},
                                                                          .grid = {1, 1, 1},
                                                                          .block = {32, 1, 1},
                                                                          .defines = {},
                                                                          .arguments = {"u32[32]=zero"},
                                                                          .includeFolders = {}});
        EXPECT_TRUE(experiment) << describe(experiment.error());
        if (!experiment) return model::BranchReport{};
        const Expected<run::Run> run = run::run(std::move(*experiment), {});
        EXPECT_TRUE(run) << describe(run.error());
        const std::vector<model::BranchReport> branches =
            run ? run->report.branches : std::vector<model::BranchReport>{};
        EXPECT_EQ(branches.size(), 1u);
        return branches.empty() ? model::BranchReport{} : branches[0];
    };
    EXPECT_EQ(branch("@%p1").lanesLost, 72u);
    EXPECT_EQ(branch("@!%p1").lanesLost, 120u);
    EXPECT_EQ(branch("@%p1").activeLanes, 32u) << "all come to it, whether they jump or not";
}

}  // namespace
}  // namespace lockstep
