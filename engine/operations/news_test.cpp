// Messages between lockstep's processes about a program: whole ones are taken, whatever pieces they arrive
// in.
#include "operations/news.h"

#include <gtest/gtest.h>

namespace lockstep::operations {
namespace {

News ended() {
    ProgramReport report;
    report.operations.list.push_back({.kind = Kind::Copy,
                                      .function = "cudaMemcpy",
                                      .place = {"main.cu", 12},
                                      .stream = 0,
                                      .from = Side{.buffer = {}},
                                      .to = Side{.buffer = 0, .offset = 16},
                                      .bytes = 64});
    report.operations.list.push_back({.function = "add<64>", .launch = 1, .grid = {4, 2, 1}, .written = {0}});
    report.operations.count = 2;
    report.operations.streams.resize(1);
    report.operations.buffers.push_back({.name = "d_a", .bytes = 80, .lastWritten = Use{.launch = 1}});
    report.findings.push_back({.kind = "leak",
                               .message = Message(english("line {0}"), 12),
                               .place = {"main.cu", 12},
                               .isRemark = true});
    report.launchCount = report.lastKept = 1;
    report.end = End::Crashed;
    report.status = 11;
    report.endingPlace = {"main.cu", 40};
    report.ending = english("The program crashed (segmentation fault).");
    return {.kind = News::Kind::Ended, .report = report};
}

TEST(NewsTest, AreTakenOnceTheyAreWhole) {
    std::vector<std::byte> sent = encode({.kind = News::Kind::Launches, .number = 7});
    for (const std::byte byte : encode(ended()))
        sent.push_back(byte);
    std::vector<std::byte> arrived;
    std::vector<News> taken;
    for (const std::byte byte : sent) {
        arrived.push_back(byte);
        Expected<std::vector<News>> news = takeNews(arrived);
        ASSERT_TRUE(news);
        for (News& one : *news)
            taken.push_back(std::move(one));
    }
    EXPECT_TRUE(arrived.empty());
    ASSERT_EQ(taken.size(), 2u);
    EXPECT_EQ(taken[0].number, 7u);
    const ProgramReport& report = *taken[1].report;
    EXPECT_EQ(report.operations.list[0].to->offset, 16u);
    EXPECT_FALSE(report.operations.list[0].from->buffer);
    EXPECT_EQ(report.operations.list[1].grid, (Dim3{4, 2, 1}));
    EXPECT_EQ(report.operations.buffers[0].lastWritten->launch, 1u);
    EXPECT_EQ(report.findings[0].message.in(Language::Chinese),
              Message(english("line {0}"), 12).in(Language::Chinese))
        << "in whatever language the window has";
    EXPECT_EQ(report.problems(), 0u);
    EXPECT_EQ(endingOf(report).english(), "The program crashed (segmentation fault). At line 40.");
}

TEST(NewsTest, DamagedOnesAreRefused) {
    std::vector<std::byte> whole = encode(ended());
    whole[8] = std::byte{99};  // its kind
    EXPECT_FALSE(takeNews(whole));
    std::vector<std::byte> empty(8);
    EXPECT_FALSE(takeNews(empty));
}

}  // namespace
}  // namespace lockstep::operations
