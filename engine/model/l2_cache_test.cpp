#include "model/l2_cache.h"

#include "model/profile.h"

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
    // Measured: tests/data/caches/dram.csv, fills: sectors written to device memory by the end; the edge is not sharp.
    struct Case { u64 megabytes; f64 measured; };
    for (const Case& c : {Case{4, 0}, {16, 48}, {20, 2784}, {32, 193680}, {64, 1269048}, {128, 3359144}}) {
        L2Cache cache(figures());
        for (u64 line = 0; line < c.megabytes * kMegabyteLines; ++line) cache.store(line, kAll, kEveryWord);
        EXPECT_NEAR(f64(cache.counts().dramWrites), c.measured, 0.05 * c.measured + 20000) << c.megabytes << " MB";
        EXPECT_EQ(cache.counts().dramReads, 0u);  // whole sectors need no filling
    }
}

TEST(L2Cache, FillsSectorsThatAreStoredInPart) {
    // Measured there: a word of each sector of 256 MB.
    L2Cache cache(figures());
    for (u64 line = 0; line < 256 * kMegabyteLines; ++line) cache.store(line, kAll, 0x01010101);
    EXPECT_NEAR(f64(cache.counts().dramReads), 8'104'752, 0.05 * 8'104'752);
    // Stored word by word, a sector is whole in the end.
    L2Cache other(figures());
    for (u64 line = 0; line < 64 * kMegabyteLines; ++line)
        for (u32 word = 0; word < 8; ++word) other.store(line, kAll, 0x01010101u << word);
    EXPECT_EQ(other.counts().dramReads, 0u);
}

TEST(L2Cache, ReadsABufferOnceWhileItFits) {
    // Measured there: a buffer that is read twice.
    struct Case { u64 megabytes; f64 measured; };
    for (const Case& c : {Case{8, 262240}, {32, 1049304}, {64, 4194504}}) {
        L2Cache cache(figures());
        for (u32 sweep = 0; sweep < 2; ++sweep)
            for (u64 line = 0; line < c.megabytes * kMegabyteLines; ++line) cache.read(line, kAll);
        EXPECT_NEAR(f64(cache.counts().dramReads), c.measured, 0.05 * c.measured) << c.megabytes << " MB";
    }
}

TEST(L2Cache, ReadsWhatAtomicsChange) {
    L2Cache cache(figures());
    for (u64 line = 0; line < 128; ++line) cache.atomic(line, kAll);  // 4,096 words: 512 sectors, and the launch's own
    EXPECT_EQ(cache.counts().dramReads, 512u);
}

}  // namespace
}  // namespace lockstep::model
