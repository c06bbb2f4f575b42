// Kernels that show one thing each: a loop that ends too early, products that are guarded, tiles that no
// device can hold, stores that fill sectors or do not, a fold of four. Figures are counted by hand from the
// kernels, or are rules that an H200 was measured to follow.
#include "model/access/global_sectors.h"
#include "support/run_shipped.h"

#include <cmath>

namespace lockstep {
namespace {

f64 counterOf(const run::Run& run, const char* name) { return f64(run.report.counters.at(name)); }

TEST(CourseVariants, ALoopThatEndsAtTheQuotientRoundedDownIsWrongByFiniteAmounts) {
    const Expected<run::Run> right = runShipped("matmul/tiled-truncated", {{"width", "32"}});
    ASSERT_TRUE(right) << describe(right.error());
    EXPECT_EQ(right->correct(), true);

    constexpr u64 kWidth = 20, kAdded = 16;  // one tile of 16 of the 20 products
    const Expected<run::Run> run = runShipped("matmul/tiled-truncated", {{"width", "20"}});
    ASSERT_TRUE(run) << describe(run.error());
    EXPECT_EQ(run->correct(), false);
    const std::span<const f32> M = run->recording.initial[0].as<f32>(),
                               N = run->recording.initial[1].as<f32>(), P = run->recording.final[2].as<f32>();
    for (const f32 value : P)
        EXPECT_TRUE(std::isfinite(value));
    // Away from the starts of rows, which threads of the next block write over.
    for (u64 row = 0; row < kWidth; ++row)
        for (u64 column = 12; column < kWidth; ++column) {
            f32 sum = 0;
            for (u64 k = 0; k < kAdded; ++k)
                sum = std::fma(M[row * kWidth + k], N[k * kWidth + column], sum);
            EXPECT_EQ(P[row * kWidth + column], sum) << row << ", " << column;
        }
}

TEST(CourseVariants, GuardedProductsAreFewerAndRight) {
    // Width 20, T 16: products of 2 x 2 blocks of 256 threads in two tiles, or only those that count.
    constexpr f64 kAll = 4 * 8 * 32 /* requests of a warp for two tiles */ * 2;
    const Expected<run::Run> plain = runShipped("matmul/tiled-bounds", {{"width", "20"}}),
                             guarded = runShipped("matmul/tiled-guarded-products", {{"width", "20"}});
    ASSERT_TRUE(plain && guarded);
    EXPECT_EQ(guarded->correct(), true);
    const auto sharedLoads = [](const run::Run& run) {
        u64 executions = 0;
        for (const model::SiteReport& site : run.report.sites)
            if (site.space == trace::Space::Shared && site.kind == trace::AccessKind::Load)
                executions += site.executions;
        return f64(executions);
    };
    EXPECT_EQ(sharedLoads(*plain), kAll);
    // 20 products of 32 in a row; in the lower blocks only 2 of 8 warps own rows.
    EXPECT_EQ(sharedLoads(*guarded), 2 * 2 * 20 * (8 + 2));
    EXPECT_GT(guarded->report.counters.at("ptx__branches_divergent"),
              plain->report.counters.at("ptx__branches_divergent"));
}

TEST(CourseVariants, WholeRowsAndColumnsAreRightUntilNoBlockCanHoldThem) {
    const Expected<run::Run> run = runShipped("matmul/tiled-too-large", {{"width", "200"}});
    ASSERT_TRUE(run) << describe(run.error());
    EXPECT_EQ(run->correct(), true);
    EXPECT_EQ(run->recording.launches[0].dynamicSharedBytes, 2 * 16 * 200 * sizeof(f32));

    const auto refusal = [](const char* width, const char* profile) {
        run::Options options;
        options.profile = profile;
        const Expected<run::Run> run = runShipped("matmul/tiled-too-large", {{"width", width}}, options);
        EXPECT_FALSE(run);
        return run ? "" : run.error().message.english();
    };
    EXPECT_NE(
        refusal("200", "cc10").find("it needs 25,600 bytes of shared memory, this device allows 16,384: "),
        std::string::npos)
        << refusal("200", "cc10");
    EXPECT_NE(
        refusal("4096", "cc90").find("it needs 524,288 bytes of shared memory, this device allows 232,448: "),
        std::string::npos)
        << refusal("4096", "cc90");
}

// L2 waits for the rest of about 9.6 MB of sectors that were stored in part: docs/internals/caches.md.
TEST(CourseVariants, StoresInPartAreFilledFromDeviceMemoryOnceTooManyWait) {
    constexpr f64 kBesides = 300;  // machine code and parameters
    const auto reads = [](const char* variant, const Settings& settings) {
        const Expected<run::Run> run = runShipped(variant, settings);
        EXPECT_TRUE(run) << (run ? "" : describe(run.error()));
        EXPECT_EQ(run->correct(), true);
        return counterOf(*run, "dram__sectors_read");
    };
    EXPECT_LT(reads("coalescing/store-whole-sectors", {}), kBesides);
    EXPECT_LT(reads("coalescing/store-part-sectors", {{"sectors", "65536"}}), kBesides);
    const f64 filled = reads("coalescing/store-part-sectors", {});
    EXPECT_NEAR(filled,
                1048576.0 - f64(model::defaultProfile().caches->l2PartialAloneBytes) / model::kSectorBytes,
                500);
}

TEST(CourseVariants, AFoldOfFourTakesAQuarterOfTheBlocks) {
    const Expected<run::Run> v2 = runShipped("reduction/v2", {{"n", "65536"}}),
                             fold = runShipped("reduction/v3-fold4", {{"n", "65536"}});
    ASSERT_TRUE(v2 && fold);
    EXPECT_EQ(fold->correct(), true);
    EXPECT_EQ(4 * fold->recording.launches[0].grid.x, v2->recording.launches[0].grid.x);
    EXPECT_EQ(counterOf(*fold, "l1tex__t_requests_pipe_lsu_mem_global_op_ld"),
              counterOf(*v2, "l1tex__t_requests_pipe_lsu_mem_global_op_ld"));
}

}  // namespace
}  // namespace lockstep
