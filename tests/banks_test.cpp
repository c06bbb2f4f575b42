// The bank patterns of the catalog cost what arithmetic says: word w lies in bank w % 32.
#include "support/run_shipped.h"

#include <numeric>

namespace lockstep {
namespace {

// Wavefronts of one execution of the last load from shared memory: what each of these kernels is about.
u64 wavefrontsOfTheLoad(const std::string& variant, const Settings& settings) {
    const Expected<run::Run> run = runShipped("banks/" + variant, settings);
    if (!run) {
        ADD_FAILURE() << describe(run.error());
        return 0;
    }
    EXPECT_EQ(run->correct(), true) << variant;
    u64 wavefronts = 0;
    for (const model::SiteReport& site : run->report.sites)
        if (site.space == trace::Space::Shared && site.kind == trace::AccessKind::Load)
            wavefronts = site.wavefronts / site.executions;
    return wavefronts;
}

TEST(Banks, AStrideCostsItsGreatestCommonDivisorWith32) {
    for (u32 stride = 1; stride <= 33; ++stride)
        EXPECT_EQ(wavefrontsOfTheLoad("stride", {{"stride", std::to_string(stride)}}), std::gcd(stride, 32u))
            << stride;
    EXPECT_EQ(wavefrontsOfTheLoad("stride", {{"stride", "0"}}), 1u) << "one word for all";
}

TEST(Banks, WideWordsAreServedInHalvesAndQuarters) {
    EXPECT_EQ(wavefrontsOfTheLoad("words", {{"word", "float2"}, {"stride", "1"}}), 2u);
    EXPECT_EQ(wavefrontsOfTheLoad("words", {{"word", "float4"}, {"stride", "1"}}), 4u);
    // 16 bytes every 32: of the 8 lanes of a quarter, lanes k and k + 4 share their four banks.
    EXPECT_EQ(wavefrontsOfTheLoad("words", {{"word", "float4"}, {"stride", "2"}}), 8u);
}

TEST(Banks, SharingAWordIsFree) {
    for (const char* sharing : {"1", "2", "3", "32"})
        EXPECT_EQ(wavefrontsOfTheLoad("broadcast", {{"sharing", sharing}}), 1u) << sharing;
}

TEST(Banks, AColumnIsCuredByPaddingOrASwizzle) {
    EXPECT_EQ(wavefrontsOfTheLoad("row", {{"padding", "0"}}), 1u);
    EXPECT_EQ(wavefrontsOfTheLoad("row", {{"padding", "1"}}), 1u);
    EXPECT_EQ(wavefrontsOfTheLoad("column", {{"padding", "0"}}), 32u);
    EXPECT_EQ(wavefrontsOfTheLoad("column", {{"padding", "1"}}), 1u);
    EXPECT_EQ(wavefrontsOfTheLoad("swizzle", {}), 1u);
}

// Wavefronts of the additions, whose values are random: a warp's 32 lanes on `kinds` values.
u64 wavefrontsOfTheAtomics(const std::string& variant, const char* kinds) {
    const Expected<run::Run> run = runShipped("banks/" + variant, {{"kinds", kinds}});
    if (!run) {
        ADD_FAILURE() << describe(run.error());
        return 0;
    }
    EXPECT_EQ(run->correct(), true) << variant;
    return run->report.counters.at("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom");
}

TEST(Banks, AHistogramWaitsForWordsThenForBanksThenForNothing) {
    constexpr u64 kWarpAdditions = 512 / 32;  // n at its default
    EXPECT_EQ(wavefrontsOfTheAtomics("histogram", "1"), 32 * kWarpAdditions);
    EXPECT_EQ(wavefrontsOfTheAtomics("histogram-private", "1"), 32 * kWarpAdditions);
    EXPECT_EQ(wavefrontsOfTheAtomics("histogram-padded", "1"), kWarpAdditions);
    for (const char* kinds : {"1", "4", "64"})
        EXPECT_EQ(wavefrontsOfTheAtomics("histogram-interleaved", kinds), kWarpAdditions) << kinds;
}

}  // namespace
}  // namespace lockstep
