#include "base/files/whole_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

class WholeFile : public testing::Test {
protected:
    WholeFile()
        : folder(
              fs::path(testing::TempDir()) /
              (std::string("whole_file_") + testing::UnitTest::GetInstance()->current_test_info()->name())) {
        fs::remove_all(folder);
        fs::create_directories(folder);
    }
    ~WholeFile() override { fs::remove_all(folder); }

    static Expected<void> write(const fs::path& file, std::string_view text) {
        return writeWholeFile(file, std::as_bytes(std::span(text)));
    }
    static std::string contentsOf(const fs::path& file) {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    std::size_t filesInFolder() const {
        return std::size_t(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
    }

    fs::path folder;
};

TEST_F(WholeFile, ReplacesWhatWasThereAndLeavesNothingBesideIt) {
    const fs::path file = folder / "a.txt";
    EXPECT_TRUE(write(file, "first, which is longer"));
    EXPECT_TRUE(write(file, "second"));
    EXPECT_EQ(contentsOf(file), "second");
    EXPECT_EQ(filesInFolder(), 1u);
}

TEST_F(WholeFile, FollowsALink) {
    const fs::path file = folder / "a.txt", link = folder / "link";
    EXPECT_TRUE(write(file, "old"));
    fs::create_symlink(file, link);
    EXPECT_TRUE(write(link, "new"));
    EXPECT_TRUE(fs::is_symlink(link));
    EXPECT_EQ(contentsOf(file), "new");
}

TEST_F(WholeFile, NeverReplacesADevice) {
    if (!fs::is_character_file("/dev/null")) GTEST_SKIP() << "this system has no /dev/null";
    EXPECT_TRUE(write("/dev/null", "gone"));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(WholeFile, SaysWhatStandsInTheWay) {
    const Expected<void> aFolder = write(folder, "x"), noFolder = write(folder / "no" / "x", "x");
    ASSERT_FALSE(aFolder);
    ASSERT_FALSE(noFolder);
    EXPECT_NE(aFolder.error().message.english().find("it is a folder"), std::string::npos);
    EXPECT_NE(noFolder.error().message.english().find("there is no folder"), std::string::npos);
    EXPECT_EQ(filesInFolder(), 0u);
}

}  // namespace
}  // namespace lockstep
