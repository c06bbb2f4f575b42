#include "model/caches/l1_cache.h"

#include <gtest/gtest.h>

namespace lockstep::model {
namespace {

constexpr u32 kAll = 0xf;

// Hits in a buffer that is read twice, line by line.
u64 hitsOfSecondSweep(L1Cache& cache, u64 bytes) {
    u64 hits = 0;
    for (u32 sweep = 0; sweep < 2; ++sweep)
        for (u64 line = 0; line < bytes / 128; ++line)
            hits += u64(std::popcount(cache.load(4096 + line, kAll)));
    return hits;
}

TEST(L1Cache, HoldsABufferUpToItsSizeAndThenLosesItLineByLine) {
    // Measured: tests/data/caches/l1.csv, one warp, two sweeps: sectors that hit. The L1 of 224 KB holds 217.
    struct Case {
        u64 kilobytes, measured;
    };
    for (const Case& c : {Case{192, 6144},
                          {216, 6912},
                          {224, 5600},
                          {232, 3984},
                          {240, 2512},
                          {248, 928},
                          {256, 368},
                          {296, 0}}) {
        L1Cache cache(217 * 1024);
        EXPECT_NEAR(f64(hitsOfSecondSweep(cache, c.kilobytes * 1024)), f64(c.measured),
                    0.12 * f64(c.kilobytes) * 32)
            << c.kilobytes << " KB";
    }
}

TEST(L1Cache, FindsLoadsAndWholeStoresAgain) {
    L1Cache cache(64 * 1024);
    EXPECT_EQ(cache.load(1, 0b0011), 0u);
    EXPECT_EQ(cache.load(1, 0b0110), 0b0010u);
    EXPECT_EQ(cache.store(2, kAll, kAll), 0u);  // whole sectors
    EXPECT_EQ(cache.load(2, kAll), kAll);
    EXPECT_EQ(cache.store(3, kAll, 0), 0u);  // partially: what is missing has to be read
    EXPECT_EQ(cache.load(3, kAll), 0u);
    EXPECT_EQ(cache.store(1, 0b0001, 0), 0b0001u);  // was valid and stays valid
    EXPECT_EQ(cache.load(1, 0b0001), 0b0001u);
}

TEST(L1Cache, DropsWhatAtomicsChange) {
    L1Cache cache(64 * 1024);
    cache.load(1, kAll);
    cache.drop(1, 0b0100);
    EXPECT_EQ(cache.load(1, kAll), 0b1011u);
    cache.clear();
    EXPECT_EQ(cache.load(1, kAll), 0u);
}

}  // namespace
}  // namespace lockstep::model
