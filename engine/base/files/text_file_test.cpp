// What may stand where a text is expected.
#include "base/files/text_file.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

namespace lockstep {
namespace {

namespace fs = std::filesystem;

class TextFile : public testing::Test {
protected:
    TextFile() : folder_(fs::path(testing::TempDir()) / "text_file_test") { fs::create_directories(folder_); }
    ~TextFile() override { fs::remove_all(folder_); }
    fs::path write(const std::string& text) const {
        std::ofstream(folder_ / "file", std::ios::binary) << text;
        return folder_ / "file";
    }
    fs::path folder_;
};

TEST_F(TextFile, IsReadWhole) {
    EXPECT_EQ(*readTextFile(write(""), english("name another")), "");
    const std::string text = std::string(1 << 16, 'x') + '\0' + "end\n";
    EXPECT_EQ(*readTextFile(write(text), english("name another")), text);
    EXPECT_EQ(*readTextFile(write(std::string(2 << 16, 'x')), english("name another")),
              std::string(2 << 16, 'x'));
}

// Editors on Windows put one first; a compiler takes it for a letter.
TEST_F(TextFile, IsReadWithoutItsByteOrderMark) {
    EXPECT_EQ(*readTextFile(write("\xEF\xBB\xBF__global__"), english("name another")), "__global__");
    EXPECT_EQ(*readTextFile(write("\xEF\xBB"), english("name another")), "\xEF\xBB");
}

TEST_F(TextFile, IsRefusedInASentence) {
    const auto sentence = [](const fs::path& file, u64 most = kMostTextBytes) {
        const Expected<std::string> read = readTextFile(file, english("name another"), most);
        return read ? "it was read" : read.error().message.english();
    };
    EXPECT_EQ(sentence(folder_), "is a folder; name another");
    EXPECT_EQ(sentence(write("\xFF\xFEk")), "is UTF-16 text; save it as UTF-8");
    EXPECT_EQ(sentence(folder_ / "none"), "cannot be read; name another");
    EXPECT_EQ(sentence(write(std::string((2 << 20) + 1, 'x')), 2 << 20),
              "is larger than 2 MiB; name another");
#ifdef __unix__
    EXPECT_EQ(sentence("/dev/zero", 1 << 20), "is larger than 1 MiB; name another");
#endif
}

}  // namespace
}  // namespace lockstep
