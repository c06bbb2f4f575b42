#include "app/shell/files/recent_file.h"

#include <gtest/gtest.h>

#include <fstream>

namespace lockstep::shell {
namespace {

const std::filesystem::path kFile =
    std::filesystem::path(::testing::TempDir()) / "lockstep_recent_test" / "recent.json";

Recent readFrom(const std::string& text) {
    std::filesystem::create_directories(kFile.parent_path());
    std::ofstream(kFile, std::ios::binary | std::ios::trunc) << text;
    Recent recent = readRecent(kFile);
    std::filesystem::remove_all(kFile.parent_path());
    return recent;
}

TEST(RecentFileTest, WhatIsWrittenIsReadAgain) {
    app::OwnKernel own;
    own.file = "/home/ann/my \"best\" kernel.cu";
    own.entry = "mm<16>";
    own.grid = "4,4";
    own.block = "16,16";
    own.shared = "1024";
    own.arguments = {"f32[256]=random", "i32:16"};
    own.defines = {"T=16"};
    own.further = {"mm<16><<<dim3(4, 4), dim3(16, 16)>>>(buffer:0, i32:16)"};
    own.references = {"matmul:M=0,N=1,P=2,width=16", "2=expected.npy"};
    const app::Choice tiled{.family = "matmul", .variant = "tiled", .values = {{"width", 64}, {"tile", 16}}};
    const app::Choice mine{.family = {}, .variant = {}, .values = {}, .own = own};
    constexpr viz::Cursor kPlace{
        .launch = LaunchId{1}, .block = {2, 3, 4}, .warp = Warp{5}, .lane = Lane{6}, .step = 7};
    ASSERT_TRUE(writeRecent(
        kFile,
        {{mine, tiled}, {"view.banks", "run"}, {{"/a \"b\".cu", "-n 4"}}, {{"/c.cu", "-DN=4"}}, kPlace}));
    const Recent read = readRecent(kFile);
    EXPECT_EQ(read.experiments, (std::vector{mine, tiled}));
    EXPECT_EQ(read.commands, (std::vector<std::string>{"view.banks", "run"}));
    EXPECT_EQ(read.programArguments.at("/a \"b\".cu"), "-n 4");
    EXPECT_EQ(read.programCompile.at("/c.cu"), "-DN=4");
    EXPECT_EQ(read.place, kPlace);
    std::filesystem::remove_all(kFile.parent_path());
}

TEST(RecentFileTest, ADamagedFileHoldsWhatCanBeBelieved) {
    for (const char* text : {"", "{", "[]", "null", "\xff\xfe", "{\"experiments\": 3, \"commands\": {}}",
                             "{\"experiments\": [1, [], {\"family\": 2}]}"}) {
        const Recent read = readFrom(text);
        EXPECT_TRUE(read.experiments.empty() && read.commands.empty()) << text;
    }
    const Recent some =
        readFrom(R"({"experiments": [{"family": "matmul", "variant": "tiled", "values": {"width": "x"}},
        {"family": "a", "variant": "b", "values": {"width": 3}}, {"file": "k.cu", "grid": 7}], "commands": ["run", 4]})");
    ASSERT_EQ(some.experiments.size(), 2u);
    EXPECT_EQ(some.experiments[0].values.at("width"), 3);
    EXPECT_EQ(some.experiments[1].own->file, "k.cu");
    EXPECT_EQ(some.experiments[1].own->grid, "1") << "what makes no sense keeps its default";
    EXPECT_EQ(some.commands, std::vector<std::string>{"run"});
    EXPECT_TRUE(readFrom("{\"commands\": [\"" + std::string(1 << 20, 'x') + "\"]}").commands.empty());
    EXPECT_TRUE(readRecent("/proc/self/mem").commands.empty());
    EXPECT_FALSE(readFrom(R"({"place": 3})").place);
    EXPECT_EQ(readFrom(R"({"place": {"block": [1, -2, 3], "lane": 99, "step": "x"}})").place,
              (viz::Cursor{.launch = {}, .block = {0, 0, 0}, .warp = {}, .lane = Lane{3}, .step = 0}));
    EXPECT_FALSE(writeRecent("/proc/lockstep/recent.json", {}));
}

}  // namespace
}  // namespace lockstep::shell
