// The transposes of the course: 1024 x 512 elements. Figures from the course, measured on an
// H200, or counted by hand: a matrix is 2 MB, 65,536 sectors; its 524,288 elements are 16,384 warps of one
// element a thread.
#include "support/run_shipped.h"

namespace lockstep {
namespace {

constexpr u64 kWarps = 16'384, kMatrixSectors = 65'536;

struct Figures {
    const char* variant;
    Dim3 grid, block;
    u64 loads, loadSectors, stores, storeSectors;  // of global memory
    u64 sharedLoads, sharedStores;                 // wavefronts
};

constexpr Figures kFigures[] = {
    // 16 bytes a lane: a quarter of the requests.
    {"copy", {512, 1, 1}, {256, 1, 1}, kWarps / 4, kMatrixSectors, kWarps / 4, kMatrixSectors, 0, 0},
    {"naive", {16, 128, 1}, {32, 8, 1}, kWarps, kMatrixSectors, kWarps, 524'288, 0, 0},
    {"naive-write", {32, 64, 1}, {32, 8, 1}, kWarps, 524'288, kWarps, kMatrixSectors, 0, 0},
    // The same width. A load's 512 bytes lie in a row; a store's pieces fill half a sector each.
    {"registers-4x4",
     {4, 32, 1},
     {32, 8, 1},
     kWarps / 4,
     kMatrixSectors,
     kWarps / 4,
     2 * kMatrixSectors,
     0,
     0},
    // 32 elements of a column in one bank; each in its own.
    {"shared", {16, 32, 1}, {32, 8, 1}, kWarps, kMatrixSectors, kWarps, kMatrixSectors, 32 * kWarps, kWarps},
    {"shared-padded",
     {16, 32, 1},
     {32, 8, 1},
     kWarps,
     kMatrixSectors,
     kWarps,
     kMatrixSectors,
     kWarps,
     kWarps},
    {"shared-swizzled",
     {16, 32, 1},
     {32, 8, 1},
     kWarps,
     kMatrixSectors,
     kWarps,
     kMatrixSectors,
     kWarps,
     kWarps},
    // 16 bytes a lane everywhere: a quarter of the requests, each of four wavefronts in shared memory.
    {"registers-shared",
     {16, 8, 1},
     {16, 16, 1},
     kWarps / 4,
     kMatrixSectors,
     kWarps / 4,
     kMatrixSectors,
     kWarps,
     kWarps},
};

TEST(CourseTranspose, HasTheFiguresOfTheMemoryTables) {
    for (const Figures& want : kFigures) {
        const Expected<run::Run> run =
            runShipped(std::string("transpose/") + want.variant, {{"rows", "1024"}, {"columns", "512"}});
        ASSERT_TRUE(run) << describe(run.error());
        EXPECT_EQ(run->correct(), true) << want.variant;
        EXPECT_EQ(run->recording.launches[0].grid, want.grid) << want.variant;
        EXPECT_EQ(run->recording.launches[0].block, want.block) << want.variant;
        const auto counter = [&](const char* name) { return run->report.counters.at(name); };
        EXPECT_EQ(counter("l1tex__t_requests_pipe_lsu_mem_global_op_ld"), want.loads) << want.variant;
        EXPECT_EQ(counter("l1tex__t_sectors_pipe_lsu_mem_global_op_ld"), want.loadSectors) << want.variant;
        EXPECT_EQ(counter("l1tex__t_requests_pipe_lsu_mem_global_op_st"), want.stores) << want.variant;
        EXPECT_EQ(counter("l1tex__t_sectors_pipe_lsu_mem_global_op_st"), want.storeSectors) << want.variant;
        EXPECT_EQ(counter("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld"), want.sharedLoads)
            << want.variant;
        EXPECT_EQ(counter("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st"), want.sharedStores)
            << want.variant;
    }
}

// Part 3's columns of L2 and device memory. What L2 gets of stores is what the kernel stores, but for those
// that meet on the way.
TEST(CourseTranspose, HasTheFiguresOfTheCaches) {
    const Expected<run::Run> run = runShipped("transpose/naive", {{"rows", "1024"}, {"columns", "512"}});
    ASSERT_TRUE(run) << describe(run.error());
    const auto counter = [&](const char* name) { return run->report.counters.at(name); };
    EXPECT_EQ(counter("l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit"), 0u);
    EXPECT_EQ(counter("lts__t_sectors_srcunit_tex_op_read"), kMatrixSectors);
    EXPECT_EQ(counter("lts__t_sectors_srcunit_tex_op_read_lookup_miss"), kMatrixSectors);
    EXPECT_EQ(counter("lts__t_sectors_srcunit_tex_op_write"), 524'288u);
    EXPECT_GE(counter("dram__sectors_read"), 65'500u);
    EXPECT_LE(counter("dram__sectors_read"), 66'400u);
    EXPECT_EQ(counter("dram__sectors_write"), 0u);  // L2 keeps what was written
}

}  // namespace
}  // namespace lockstep
