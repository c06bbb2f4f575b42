#include "cuda/compiler/text_cache.h"

#include "cuda/compiler/disassemble.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>

namespace lockstep::cuda {
namespace {

namespace fs = std::filesystem;

// In its own folder, removed afterwards.
class KeptTexts : public testing::Test {
protected:
    void SetUp() override {
        folder_ =
            fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
        fs::remove_all(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }
    std::size_t files() const {
        return std::size_t(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
    }
    fs::path onlyFile() const { return fs::directory_iterator(folder_)->path(); }

    fs::path folder_;
};

TEST_F(KeptTexts, AreFoundByAllThatTheyDependOn) {
    const TextCache cache(folder_);
    EXPECT_FALSE(cache.find("sm_90\n.version 8.0"));
    cache.keep("sm_90\n.version 8.0", "FADD");
    cache.keep("sm_80\n.version 8.0", "FMUL");
    EXPECT_EQ(cache.find("sm_90\n.version 8.0"), "FADD");
    EXPECT_EQ(TextCache(folder_).find("sm_80\n.version 8.0"), "FMUL") << "by another, too";
    EXPECT_FALSE(cache.find("sm_90\n.version 8.1"));
    cache.keep("sm_90\n.version 8.0", "");
    EXPECT_EQ(cache.find("sm_90\n.version 8.0"), "");
}

TEST_F(KeptTexts, ThatAreDamagedAreNotFound) {
    const TextCache cache(folder_);
    cache.keep("key", "a listing");
    const fs::path file = onlyFile();
    fs::resize_file(file, fs::file_size(file) - 1);
    EXPECT_FALSE(cache.find("key"));
    std::ofstream(file, std::ios::binary) << "something else";
    EXPECT_FALSE(cache.find("key"));
    std::ofstream(file, std::ios::binary).flush();
    EXPECT_FALSE(cache.find("key"));
    fs::remove(file);
    fs::create_directory(file);
    EXPECT_FALSE(cache.find("key"));
}

TEST_F(KeptTexts, ThatAreTooLargeOrHaveNoFolderAreNotKept) {
    const TextCache cache(folder_);
    cache.keep("key", std::string(TextCache::kMostBytes, 'x'));
    EXPECT_FALSE(cache.find("key"));
    fs::create_directories(folder_);
    std::ofstream(folder_ / "file") << "no folder";
    const TextCache nowhere(folder_ / "file");
    nowhere.keep("key", "a listing");
    EXPECT_FALSE(nowhere.find("key"));
}

TEST_F(KeptTexts, NotAskedForLongestMakeRoom) {
    using namespace std::chrono_literals;
    const TextCache cache(folder_);
    cache.keep("first", "asked for again and again");
    for (std::size_t i = 1; i < TextCache::kMostFiles; ++i)
        cache.keep("key " + std::to_string(i), "listing");
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_))
        fs::last_write_time(entry, fs::file_time_type::clock::now() - 1h);
    EXPECT_TRUE(cache.find("first"));
    cache.keep("one more", "listing");
    EXPECT_EQ(files(), TextCache::kMostFiles / 2 + 1);
    EXPECT_TRUE(cache.find("first"));
    EXPECT_TRUE(cache.find("one more"));
}

constexpr const char* kSum = R"(.version 6.3
.target sm_75
.address_size 64
.visible .entry sum(.param .u64 out)
{
    .reg .f32 %f<3>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [out];
    ld.global.f32 %f1, [%rd1];
    add.f32 %f2, %f1, %f1;
    st.global.f32 [%rd1], %f2;
    ret;
}
)";

TEST_F(KeptTexts, AreOfOnePtxas) {
    fs::create_directories(folder_);
    const Toolkit toolkit{.ptxas = folder_ / "ptxas", .nvdisasm = folder_ / "nvdisasm"};
    std::ofstream(toolkit.ptxas) << "one";
    const std::string before = identityOf(toolkit);
    EXPECT_EQ(identityOf(toolkit), before);
    std::ofstream(toolkit.ptxas) << "another";
    EXPECT_NE(identityOf(toolkit), before);
    EXPECT_FALSE(versionOf(toolkit)) << "it cannot be started";
}

// These run only where the toolkit is installed.
TEST_F(KeptTexts, AreReadInsteadOfMadeAnew) {
    if (const Expected<Toolkit> found = findToolkit(); !found)
        GTEST_SKIP() << found.error().message.english();
    const Expected<ptx::Module> module = ptx::parse(kSum, "sum.ptx");
    ASSERT_TRUE(module) << describe(module.error());
    const auto opcodesOf = [&] {
        Disassembler fresh{TextCache(folder_)};
        std::vector<std::string> opcodes;
        const auto code = fresh.of(*module, 90);
        EXPECT_TRUE(code) << describe(code.error());
        if (const sass::Function* sum = code ? (*code)->find("sum") : nullptr)
            for (const sass::Instruction& instruction : sum->instructions)
                opcodes.emplace_back(instruction.opcode);
        return opcodes;
    };
    const std::vector<std::string> made = opcodesOf();
    ASSERT_NE(std::ranges::find(made, "FADD"), made.end());
    ASSERT_EQ(files(), 1u);
    EXPECT_EQ(opcodesOf(), made);

    // Another opcode of the same length that ptxas would not choose.
    std::string text;
    {
        std::ifstream in(onlyFile(), std::ios::binary);
        text.assign(std::istreambuf_iterator<char>(in), {});
    }
    const std::size_t at = text.find("FADD");
    ASSERT_NE(at, std::string::npos);
    std::ofstream(onlyFile(), std::ios::binary) << text.replace(at, 4, "FMUL");
    const std::vector<std::string> kept = opcodesOf();
    EXPECT_EQ(std::ranges::find(kept, "FADD"), kept.end()) << "what was kept is what is shown";

    // What cannot be read is recomputed.
    std::ofstream(onlyFile(), std::ios::binary) << text.substr(0, text.size() / 2);
    EXPECT_EQ(opcodesOf(), made);
}

}  // namespace
}  // namespace lockstep::cuda
