#include "app/shell/files/unsaved_file.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <string>

namespace lockstep::shell {
namespace {

app::SharedText text(std::string_view of) { return std::make_shared<const std::string>(of); }

class UnsavedFileTest : public testing::Test {
protected:
    void SetUp() override {
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    std::size_t files() const {
        const std::filesystem::directory_iterator all(folder_);
        return std::size_t(std::distance(begin(all), end(all)));
    }
    std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / "lockstep_unsaved",
                          beside_ = folder_ / "recent.json";
};

TEST_F(UnsavedFileTest, KeepsWhatIsUnsavedAlone) {
    UnsavedFile file(beside_);
    file.keep({{.file = "/a.cu", .text = text("mine\n"), .saved = text("was\n"), .endsLinesInTwo = true},
               {.file = "/b.cu", .text = text("same"), .saved = text("same")},
               {.file = "/c.cu", .text = text("new"), .saved = nullptr}});
    const std::vector<app::EditedText> left = UnsavedFile(beside_).left();
    ASSERT_EQ(left.size(), 2u);
    EXPECT_EQ(left[0].file, "/a.cu");
    EXPECT_EQ(*left[0].text, "mine\n");
    EXPECT_EQ(*left[0].saved, "was\n");
    EXPECT_TRUE(left[0].endsLinesInTwo);
    EXPECT_EQ(left[1].file, "/c.cu");
    EXPECT_FALSE(left[1].saved);
    file.keep({});
    EXPECT_EQ(files(), 0u) << "nothing is unsaved any more";
}

TEST_F(UnsavedFileTest, TakesOverWhatAWindowThatIsGoneHasLeft) {
    constexpr const char* kGone = R"([{"file": "/a.cu", "text": "mine", "saved": "was"}])";
    std::ofstream(folder_ / "unsaved-999999999.json") << kGone;  // above what process numbers reach
    std::ofstream(folder_ / "unsaved-1.json") << kGone;          // runs
    std::ofstream(folder_ / "unsaved-x.json") << kGone;
    UnsavedFile file(beside_);
    const std::vector<app::EditedText> left = file.left();
    ASSERT_EQ(left.size(), 1u);
    EXPECT_EQ(files(), 3u) << "it stays until it is kept here";
    file.keep(left);
    EXPECT_FALSE(std::filesystem::exists(folder_ / "unsaved-999999999.json"));
    const std::string own = "unsaved-" + std::to_string(getpid());
    const std::filesystem::directory_iterator all(folder_);
    EXPECT_TRUE(std::any_of(begin(all), end(all), [&](const auto& entry) {
        return entry.path().filename().string().starts_with(own);
    }));
}

// The process that was killed is there until its parent asks; and its number is given to others later.
TEST_F(UnsavedFileTest, AProcessThatEndedIsGoneWhateverBearsItsNumber) {
    const auto isLeft = [&](const std::string& name) {
        std::ofstream(folder_ / name) << R"([{"file": "/a.cu", "text": "mine", "saved": "was"}])";
        const bool isLeft = !UnsavedFile(beside_).left().empty();
        std::filesystem::remove(folder_ / name);
        return isLeft;
    };
    const pid_t child = fork();
    if (child == 0) _exit(0);
    siginfo_t ended{};
    EXPECT_EQ(waitid(P_PID, id_t(child), &ended, WEXITED | WNOWAIT), 0);
    EXPECT_TRUE(isLeft("unsaved-" + std::to_string(child) + ".json")) << "not asked for yet";
    EXPECT_EQ(waitpid(child, nullptr, 0), child);
    EXPECT_TRUE(isLeft("unsaved-" + std::to_string(child) + ".json"));
    EXPECT_FALSE(isLeft("unsaved-1.json")) << "runs";
    EXPECT_TRUE(isLeft("unsaved-1-1.json")) << "one that began at another time runs";
    for (const char* other : {"unsaved-1-.json", "unsaved-1-1-1.json", "unsaved--1.json"})
        EXPECT_FALSE(isLeft(other)) << other;
}

TEST_F(UnsavedFileTest, IgnoresADamagedFile) {
    for (const char* damaged : {"", "{", "7", R"([7, {"file": 1, "text": "a"}, {"file": "/a.cu"}])"}) {
        std::ofstream(folder_ / "unsaved-999999999.json", std::ios::trunc) << damaged;
        EXPECT_TRUE(UnsavedFile(beside_).left().empty()) << damaged;
    }
}

TEST_F(UnsavedFileTest, WithoutAFolderNothingIsKept) {
    UnsavedFile file({});
    EXPECT_TRUE(file.left().empty());
    file.keep({{.file = "/a.cu", .text = text("mine"), .saved = nullptr}});
    EXPECT_EQ(files(), 0u);
}

}  // namespace
}  // namespace lockstep::shell
