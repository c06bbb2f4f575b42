// Which branches of the divergence family split a warp, and what the lanes do meanwhile.
#include "support/run_shipped.h"

namespace lockstep {
namespace {

struct Figures {
    u64 divergent = 0;      // branches that split a warp
    f64 lanesAtWork = 0;    // of 32, on average
};

Figures figuresOf(const std::string& variant, const Settings& settings = {}) {
    const Expected<run::Run> run = runShipped("divergence/" + variant, settings);
    if (!run) {
        ADD_FAILURE() << describe(run.error());
        return {};
    }
    EXPECT_EQ(run->correct(), true) << variant;
    const auto counter = [&](const char* name) { return run->report.counters.at(name); };
    return {counter("ptx__branches_divergent"), f64(counter("ptx__thread_inst_executed")) / f64(counter("ptx__inst_executed"))};
}

TEST(Divergence, AWarpSplitsWhereItsOwnLanesPartAndNowhereElse) {
    constexpr u64 kWarps = 4;  // n at its default
    EXPECT_EQ(figuresOf("parity").divergent, kWarps);
    EXPECT_EQ(figuresOf("unequal").divergent, kWarps);
    EXPECT_EQ(figuresOf("early-return").divergent, kWarps);
    EXPECT_EQ(figuresOf("early-return", {{"working", "32"}}).divergent, 0u);
    EXPECT_EQ(figuresOf("by-warp").divergent, 0u);
}

TEST(Divergence, LongBranchesLeaveAsFewLanesAtWorkAsTakeThem) {
    const Settings longBranches{{"steps", "64"}};
    // Half of the lanes in each branch of two, a quarter in each of four, one lane alone; what all do together is short.
    EXPECT_NEAR(figuresOf("parity", longBranches).lanesAtWork, 16, 1);
    EXPECT_NEAR(figuresOf("switch-by-lane", longBranches).lanesAtWork, 8, 1);
    EXPECT_LT(figuresOf("unequal", longBranches).lanesAtWork, 4);
    EXPECT_GT(figuresOf("by-warp", longBranches).lanesAtWork, 31);
}

// Counted on an H200 (driver 580, CUDA 13.0). Threads that return within a loop, a switch or a branch are not waited for: the others
// meet.
TEST(Divergence, ThreadsThatReturnEarlyKeepNobodyApart) {
    struct Case {
        const char* entry;
        std::vector<std::string> arguments;
        u32 blocks;
        u64 loads, loadedSectors, stores, storedSectors;
    };
    const Case cases[] = {{"earlyret", {"i32[128]=random", "i32:100"}, 2, 8, 26, 16, 45},
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
        const auto counter = [&](const char* name) { return run->report.counters.at(std::string("l1tex__t_") + name); };
        EXPECT_EQ(counter("requests_pipe_lsu_mem_global_op_ld"), c.loads) << c.entry;
        EXPECT_EQ(counter("sectors_pipe_lsu_mem_global_op_ld"), c.loadedSectors) << c.entry;
        EXPECT_EQ(counter("requests_pipe_lsu_mem_global_op_st"), c.stores) << c.entry;
        EXPECT_EQ(counter("sectors_pipe_lsu_mem_global_op_st"), c.storedSectors) << c.entry;
    }
}

}  // namespace
}  // namespace lockstep
