#include "model/caches/l2_cache.h"

#include "model/profiles/profile.h"

#include <gtest/gtest.h>

namespace lockstep::model {
namespace {

constexpr u32 kAll = 0xf, kEveryWord = 0xffffffff;
constexpr u64 kMegabyteLines = (1u << 20) / 128;

const CacheFigures& figures() { return *defaultProfile().caches; }

TEST(L2Cache, ReadsSectorsFromDeviceMemoryInPairs) {
    L2Cache cache(figures());
    cache.read(7, 0b0001);
    EXPECT_EQ(cache.counts().dramReads, 2u);
    cache.read(7, 0b0011);
    EXPECT_EQ(cache.counts().dramReads, 2u);
    EXPECT_EQ(cache.counts().readHits, 2u);
    EXPECT_EQ(cache.counts().distinctReads, 2u);
}

TEST(L2Cache, KeepsAFillAndWritesWhatIsBeyondItsRoom) {
    // Measured: tests/data/caches/dram.csv, fills: sectors written to device memory by the end; the threshold
    // is not sharp.
    struct Case {
        u64 megabytes;
        f64 measured;
    };
    for (const Case& c : {Case{4, 0}, {16, 48}, {20, 2784}, {32, 193680}, {64, 1269048}, {128, 3359144}}) {
        L2Cache cache(figures());
        for (u64 line = 0; line < c.megabytes * kMegabyteLines; ++line)
            cache.store(line, kAll, kEveryWord, true);
        EXPECT_NEAR(f64(cache.counts().dramWrites), c.measured, 0.05 * c.measured + 20000)
            << c.megabytes << " MB";
        EXPECT_EQ(cache.counts().dramReads, 0u);  // whole sectors need no filling
    }
}

TEST(L2Cache, FillsSectorsThatAreStoredInPart) {
    // Measured: tests/data/caches/partial.csv; with eight lines per request, the mean of the four kernels
    // that differ in the bytes they store.
    struct Case {
        bool isAlone;
        u32 sectors;
        u64 lines;
        f64 reads, writes;
    };
    const Case cases[] = {
        {true, kAll, 32768, 0, 0},
        {true, kAll, 131072, 229840, 229720},
        {true, kAll, 196608, 499376, 494616},
        {true, kAll, 262144, 754720, 751032},
        {true, kAll, 524288, 1797992, 1765704},
        {false, kAll, 32768, 0, 0},
        {false, kAll, 196608, 618083, 316738},
        {false, kAll, 262144, 842636, 452379},
        {false, kAll, 524288, 1890994, 1508285},
        {false, 1, 131072, 56344, 51796},
        {false, 1, 262144, 199048, 142628},
        {false, 1, 524288, 475112, 381524},
        {false, 1, 1048576, 989348, 902580},
        {false, 1, 2097152, 2029316, 1973864},
    };
    for (const Case& c : cases) {
        L2Cache cache(figures());
        for (u64 line = 0; line < c.lines; ++line)
            cache.store(line, c.sectors, 0x0f0f0f0f, c.isAlone);
        const f64 edge = 20'000;  // lines
        const f64 sectors = c.sectors == kAll ? 4 : 1;
        EXPECT_NEAR(f64(cache.counts().dramReads), c.reads, sectors * edge)
            << c.lines << " lines of " << sectors << (c.isAlone ? ", alone" : "");
        EXPECT_NEAR(f64(cache.counts().dramWrites), c.writes, 2 * sectors * edge)
            << c.lines << " lines of " << sectors << (c.isAlone ? ", alone" : "");
        EXPECT_EQ(cache.counts().fillReads, cache.counts().dramReads);
    }
}

TEST(L2Cache, DoesNotFillWhatBecomesWhole) {
    L2Cache cache(figures());
    for (u64 line = 0; line < 64 * kMegabyteLines; ++line)
        for (u32 word = 0; word < 8; ++word)
            cache.store(line, kAll, 0x01010101u << word, false);
    EXPECT_EQ(cache.counts().dramReads, 0u);
    // Halves, 16,384 lines apart: measured 2,576 of 1,048,576.
    L2Cache other(figures());
    for (u64 line = 0; line < 262144 + 16384; ++line) {
        if (line < 262144) other.store(line, kAll, 0x0f0f0f0f, false);
        if (line >= 16384) other.store(line - 16384, kAll, 0xf0f0f0f0, false);
    }
    EXPECT_EQ(other.counts().dramReads, 0u);
}

TEST(L2Cache, ReadsABufferOnceWhileItFits) {
    // Measured there: a buffer that is read twice.
    struct Case {
        u64 megabytes;
        f64 measured;
    };
    for (const Case& c : {Case{8, 262240}, {32, 1049304}, {64, 4194504}}) {
        L2Cache cache(figures());
        for (u32 sweep = 0; sweep < 2; ++sweep)
            for (u64 line = 0; line < c.megabytes * kMegabyteLines; ++line)
                cache.read(line, kAll);
        EXPECT_NEAR(f64(cache.counts().dramReads), c.measured, 0.05 * c.measured) << c.megabytes << " MB";
    }
}

TEST(L2Cache, ReadsWhatAtomicsChange) {
    L2Cache cache(figures());
    for (u64 line = 0; line < 128; ++line)
        cache.atomic(line, kAll);  // 4,096 words: 512 sectors, and the launch's own
    EXPECT_EQ(cache.counts().dramReads, 512u);
}

}  // namespace
}  // namespace lockstep::model
