#include "app/shell/compiler_fetch.h"

#include "base/files/temporary_folder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <thread>
#include <vector>

namespace lockstep::shell {
namespace {

class CompilerFetchTest : public testing::Test {
protected:
    void write(std::string_view text) { std::ofstream(recipe_) << text; }
    Expected<void> fetch() {
        return fetchCompiler(recipe_, cancelled_,
                             [&](std::string_view package) { began_.emplace_back(package); });
    }

    TemporaryFolder folder_ = std::move(*TemporaryFolder::make());
    std::filesystem::path recipe_ = folder_ / "nvrtc.cmake";
    std::atomic<bool> cancelled_ = false;
    std::vector<std::string> began_;
};

TEST_F(CompilerFetchTest, TellsEachPackageWhenItsDownloadBegins) {
    write(R"(
        message(STATUS "nvrtc: downloading nvidia-cuda-nvrtc 13.0.88")
        message(STATUS "something else")
        message(STATUS "cuda_crt: downloading nvidia-cuda-crt 13.0.88")
    )");
    const Expected<void> fetched = fetch();
    ASSERT_TRUE(fetched) << describe(fetched.error());
    EXPECT_EQ(began_, (std::vector<std::string>{"nvidia-cuda-nvrtc 13.0.88", "nvidia-cuda-crt 13.0.88"}));
}

TEST_F(CompilerFetchTest, SaysWhyItFails) {
    write(
        R"(message(FATAL_ERROR "pip download failed (1).\n\n  ERROR: no such version\n\nThe Python package index could not be reached, or no longer has this version."))");
    const Expected<void> fetched = fetch();
    ASSERT_FALSE(fetched);
    EXPECT_EQ(describe(fetched.error()),
              "fetching failed: The Python package index could not be reached, or no longer "
              "has this version.");
}

TEST_F(CompilerFetchTest, ACanceledOneEndsWithWhatItHasStarted) {
    const std::filesystem::path mark = folder_ / "mark";
    write("message(STATUS \"a: downloading b\")\nexecute_process(COMMAND sh -c \"sleep 1; touch '" +
          mark.string() + "'\")\n");
    const auto begin = std::chrono::steady_clock::now();
    const Expected<void> fetched =
        fetchCompiler(recipe_, cancelled_, [&](std::string_view) { cancelled_ = true; });
    ASSERT_FALSE(fetched);
    EXPECT_EQ(fetched.error().kind, FaultKind::Cancelled);
    std::this_thread::sleep_until(begin + std::chrono::milliseconds(1500));
    EXPECT_FALSE(std::filesystem::exists(mark));
}

TEST(CompilerFetch, TheReasonIsTheLastParagraphBeforeTheCallStack) {
    EXPECT_EQ(reasonIn("-- nvrtc: downloading\nCMake Error at a.cmake:1 (find_program):\n  Could not find\n  "
                       "PIP_PROGRAM\n"
                       "Call Stack (most recent call first):\n  b.cmake:2\n"),
              "Could not find PIP_PROGRAM");
    EXPECT_EQ(reasonIn(""), "");
}

TEST(CompilerFetch, TheRecipeComesWithTheResources) {
    const TemporaryFolder folder = std::move(*TemporaryFolder::make());
    EXPECT_TRUE(recipeOf(app::Fetched::Compiler, folder.path()).empty());
    std::filesystem::create_directories(folder.path() / "third_party");
    std::ofstream(folder.path() / "third_party" / "nvrtc.cmake") << "\n";
    EXPECT_EQ(recipeOf(app::Fetched::Compiler, folder.path()), folder.path() / "third_party" / "nvrtc.cmake");
    EXPECT_TRUE(recipeOf(app::Fetched::Toolkit, folder.path()).empty());
    EXPECT_FALSE(recipeOf(app::Fetched::Toolkit, LOCKSTEP_SOURCE_DIR).empty());
}

}  // namespace
}  // namespace lockstep::shell
