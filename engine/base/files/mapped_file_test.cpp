// Files of which only what is looked at is read.
#include "base/files/mapped_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

namespace lockstep {
namespace {

class MappedFileTest : public ::testing::Test {
protected:
    MappedFileTest() {
        std::string name = std::filesystem::temp_directory_path() / "lockstep-mapped-XXXXXX";
        folder_ = mkdtemp(name.data());
    }
    ~MappedFileTest() override { std::filesystem::remove_all(folder_); }

    std::filesystem::path write(const std::string& text) const {
        std::ofstream(folder_ / "file", std::ios::binary) << text;
        return folder_ / "file";
    }

    std::filesystem::path folder_;
};

TEST_F(MappedFileTest, ItsBytesAreTheFiles) {
    const std::string text = std::string(5000, 'a') + '\0' + "b";
    std::optional<MappedFile> file = MappedFile::open(write(text));
    ASSERT_TRUE(file);
    const u8* const at = file->bytes().data();
    const MappedFile moved = std::move(*file);
    EXPECT_EQ(moved.bytes().data(), at);
    EXPECT_EQ(std::string(moved.bytes().begin(), moved.bytes().end()), text);
    EXPECT_TRUE(file->bytes().empty());
}

TEST_F(MappedFileTest, WhatIsNoFileOrEmptyIsNothing) {
    EXPECT_FALSE(MappedFile::open(folder_ / "missing"));
    EXPECT_FALSE(MappedFile::open(folder_));
    EXPECT_FALSE(MappedFile::open(write("")));
}

}  // namespace
}  // namespace lockstep
