#include "app/shell/files/progress_file.h"

#include "base/files/text_file.h"

#include <gtest/gtest.h>

#include <fstream>

namespace lockstep::shell {
namespace {

using lessons::Outcome, lessons::Progress;

class ProgressFileTest : public testing::Test {
protected:
    ProgressFileTest() { std::filesystem::remove_all(folder_); }
    void write(const std::string& text) const {
        std::filesystem::create_directories(folder_);
        std::ofstream(file_, std::ios::binary) << text;
    }
    const std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / "lockstep-progress";
    const std::filesystem::path file_ = folder_ / "progress.lessons";
};

TEST_F(ProgressFileTest, IsReadAsItWasWrittenAndKeepsWhatAnotherWindowWrote) {
    EXPECT_TRUE(readProgress(file_).progress.empty()) << "there is none at first";
    Progress one, other;
    one.add("banks", "stride", Outcome::FirstTry);
    other.add("races", "lines", Outcome::Shown);
    ASSERT_TRUE(writeProgress(file_, one));
    ASSERT_TRUE(writeProgress(file_, other));
    const KeptProgress kept = readProgress(file_);
    EXPECT_EQ(kept.progress.of("banks", "stride"), Outcome::FirstTry);
    EXPECT_EQ(kept.progress.of("races", "lines"), Outcome::Shown);
    EXPECT_TRUE(kept.setAside.empty());
}

TEST_F(ProgressFileTest, ADamagedFileIsSetAsideAndNotLost) {
    for (const char* name : {"progress.lessons.damaged", "progress.lessons.damaged-2"}) {
        write(std::string("not progress ") + name);
        const KeptProgress kept = readProgress(file_);
        EXPECT_TRUE(kept.progress.empty());
        EXPECT_EQ(kept.setAside.filename(), name);
        EXPECT_FALSE(std::filesystem::exists(file_));
        EXPECT_EQ(*readTextFile(kept.setAside, {}), std::string("not progress ") + name);
    }
    EXPECT_TRUE(readProgress(file_).setAside.empty()) << "and said once";
}

TEST_F(ProgressFileTest, OfAFileWithDamagedLinesTheGoodOnesStayAndAllOfItIsKeptBesideIt) {
    const std::string text = "lockstep lessons 1\nfirst-try\tbanks\tstride\nfirst-t\nshown\traces\tlines\n";
    write(text);
    const KeptProgress kept = readProgress(file_);
    EXPECT_EQ(kept.progress.of("banks", "stride"), Outcome::FirstTry);
    EXPECT_EQ(kept.progress.of("races", "lines"), Outcome::Shown);
    EXPECT_EQ(kept.setAside.filename(), "progress.lessons.damaged");
    EXPECT_EQ(*readTextFile(kept.setAside, {}), text);
    ASSERT_EQ(kept.leftOut.size(), 1u);
    EXPECT_EQ(describe(kept.leftOut.front()),
              kept.setAside.string() + ":3: this line is damaged and was left out");
    const KeptProgress again = readProgress(file_);
    EXPECT_EQ(again.progress, kept.progress);
    EXPECT_TRUE(again.setAside.empty() && again.leftOut.empty()) << "and said once";
}

TEST_F(ProgressFileTest, WhatWasDamagedMeanwhileIsKeptBesideTheFileWhenItIsWritten) {
    write("lockstep lessons 1\nfirst-try\tbanks\tstride\nfirst-t\n");
    Progress one;
    one.add("races", "lines", Outcome::Shown);
    ASSERT_TRUE(writeProgress(file_, one));
    EXPECT_TRUE(std::filesystem::exists(folder_ / "progress.lessons.damaged"));
    write("no progress");
    ASSERT_TRUE(writeProgress(file_, one));
    EXPECT_EQ(*readTextFile(folder_ / "progress.lessons.damaged-2", {}), "no progress");
    EXPECT_EQ(readProgress(file_).progress, one);
}

}  // namespace
}  // namespace lockstep::shell
