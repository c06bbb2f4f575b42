#include "trace/request_stream.h"

#include <gtest/gtest.h>

namespace lockstep::trace {
namespace {

struct NoSink : RequestSink {
    void blockDone(u64, BlockRequests&&) override {}
    void launchDone() override {}
    bool isFull() const override { return false; }
};

LaneAddresses row(s64 strideBytes, u64 base = 0) {
    LaneAddresses addresses;
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        addresses[lane] = base + u64(strideBytes * s64(lane));
    return addresses;
}

TEST(RequestStream, GivesBackWhatWasRecordedAndKeepsLittleOfIt) {
    NoSink sink;
    RequestRecorder recorder(sink, 3, 2);
    recorder.beginBlock();
    std::vector<std::pair<u32, u64>> asked;  // of warp 1
    for (u64 turn = 0; turn < 1000; ++turn) {
        asked.emplace_back(0, 4096 + 4 * turn);
        asked.emplace_back(2, 1 << 20 | 512 * turn);
        recorder.request(1, 0, 0, LaneMask::all(), row(0), asked[2 * turn].second);
        recorder.request(1, 2, 1, LaneMask::all(), row(4), asked[2 * turn + 1].second);
    }
    recorder.barrier(1);
    recorder.barrier(1);  // nothing lies between
    recorder.fence(1);
    WarpAccess scattered{.pc = Pc{0}, .active = LaneMask{1}, .addresses = {}};
    scattered.addresses[0] = 130;
    recorder.request(1, 1, scattered);
    const BlockRequests block = recorder.finishBlock();
    EXPECT_EQ(block.requests, 2001u);
    ASSERT_EQ(block.warps, 2u);
    EXPECT_TRUE(block.ofWarp(0).empty());
    EXPECT_LE(block.ofWarp(1).size(), 24u);

    RequestReader reader;
    reader.begin(block.ofWarp(1), 3);
    for (const auto& [site, address] : asked) {
        const RequestReader::Item item = reader.next();
        ASSERT_EQ(item.kind, RequestReader::Kind::Request);
        EXPECT_EQ(item.site, site);
        EXPECT_EQ(item.address, address);
        EXPECT_EQ(item.shape->distances, row(site == 0 ? 0 : 4));
    }
    EXPECT_EQ(reader.next().kind, RequestReader::Kind::Barrier);
    EXPECT_EQ(reader.next().kind, RequestReader::Kind::Fence);
    const RequestReader::Item last = reader.next();
    ASSERT_EQ(last.kind, RequestReader::Kind::Lines);
    const LineSectors line = RequestReader::unpackLine(last.lines, 0);
    EXPECT_EQ(line.line, 1u);
    EXPECT_EQ(line.sectors, 1u);
    EXPECT_EQ(line.words, 0u);  // two bytes on: no word in full
    EXPECT_EQ(reader.next().kind, RequestReader::Kind::End);
}

// A loop with a barrier is as short as one without.
TEST(RequestStream, ForetellsBarriersToo) {
    NoSink sink;
    RequestRecorder recorder(sink, 1, 1);
    recorder.beginBlock();
    for (u64 turn = 0; turn < 100; ++turn) {
        recorder.request(0, 0, 0, LaneMask::all(), row(4), 128 * turn);
        recorder.barrier(0);
    }
    const BlockRequests block = recorder.finishBlock();
    EXPECT_LE(block.ofWarp(0).size(), 16u);
    RequestReader reader;
    reader.begin(block.ofWarp(0), 1);
    for (u64 turn = 0; turn < 100; ++turn) {
        EXPECT_EQ(reader.next().address, 128 * turn);
        EXPECT_EQ(reader.next().kind, RequestReader::Kind::Barrier);
    }
    EXPECT_EQ(reader.next().kind, RequestReader::Kind::End);
}

TEST(LinesOf, AnAccessAreItsSectorsAndWholeWords) {
    struct Case {
        s64 strideBytes;
        u64 base;
        u32 widthBytes;
        bool local;
        std::size_t lines;
        u32 sectorsOfFirst, wordsOfFirst;
    };
    constexpr Case kCases[] = {
        {4, 0, 4, false, 1, 0xf, 0xffffffff},   // a row
        {4, 4, 4, false, 2, 0xf, 0xfffffffe},   // one word on
        {32, 0, 4, false, 8, 0xf, 0x01010101},  // a word of each sector
        {0, 64, 4, false, 1, 0x4, 0x00010000},  // one word for all
        {1, 13, 1, false, 1, 0x3, 0x7f0},       // bytes 13 to 44: words 4 to 10 in full
        {0, 8, 4, true, 1, 0xf, 0xffffffff},    // local memory: each lane its own word
        {0, 8, 8, true, 2, 0xf, 0xffffffff},
    };
    for (const Case& c : kCases) {
        std::vector<LineSectors> lines;
        linesOf(LaneMask::all(), row(c.strideBytes, c.base), c.widthBytes, c.local, lines);
        ASSERT_EQ(lines.size(), c.lines) << c.strideBytes << " " << c.base;
        EXPECT_EQ(lines[0].sectors, c.sectorsOfFirst) << c.strideBytes << " " << c.base;
        EXPECT_EQ(lines[0].words, c.wordsOfFirst) << c.strideBytes << " " << c.base;
    }
}

TEST(LineSectors, AreWholeWhereAllEightWordsAre) {
    for (u32 sectors = 0; sectors < 16; ++sectors) {
        u32 words = 0;
        for (u32 sector = 0; sector < 4; ++sector)
            words |= (sectors >> sector & 1 ? 0xffu : 0x7fu) << 8 * sector;
        EXPECT_EQ((LineSectors{.line = 0, .words = words, .sectors = 15}.whole()), sectors);
    }
}

}  // namespace
}  // namespace lockstep::trace
