// The source of a file is found by the lines of its PTX, whatever its name.
#include "cuda/compiler/nvrtc.h"
#include "run/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace lockstep::run {
namespace {

constexpr const char* kAdd = R"(#include "加.h"
__global__ void add(float* a) {
    a[threadIdx.x] = one() + 1.0f;
}
)";

TEST(FileNames, AnyNameHasItsSourceAndItsLines) {
    if (!cuda::findNvrtc()) GTEST_SKIP() << "no NVRTC here";
    const std::filesystem::path root = testing::TempDir() + "file_names";
    std::filesystem::remove_all(root);
    const std::string names[] = {"加法.cu",     "作业/sum.cu",    "tab\t1.cu",
                                 "p%d 1.cu",    "it's.cu",        "Ä/é/ñ.cu",
                                 "b\\x.cu",     "a/./../very.cu", std::string(200, 'l') + ".cu",
                                 "{0}#&;<>.cu", "\"quoted\".cu",  "作业 \"一\"/\\加法.cu"};
    for (const std::string& name : names) {
        const std::filesystem::path file = root / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file) << kAdd;
        std::ofstream(file.parent_path() / "加.h") << "__device__ float one() { return 1; }\n";
        const Expected<Experiment> opened = open({.file = file,
                                                  .entry = {},
                                                  .grid = {1, 1, 1},
                                                  .block = {32, 1, 1},
                                                  .defines = {},
                                                  .arguments = {"f32[32]=zero"},
                                                  .includeFolders = {}});
        ASSERT_TRUE(opened) << name << ": " << describe(opened.error());
        const ptx::Module& module = *opened->module;
        EXPECT_TRUE(std::ranges::find(module.sources, kAdd) != module.sources.end()) << name;
        EXPECT_TRUE(std::ranges::any_of(module.instructions, [&](const ptx::Instruction& i) {
            const ptx::Location& at = module.locations[i.location];
            return at.line == 3 && module.sources[at.file] == kAdd;
        })) << name;
    }
}

}  // namespace
}  // namespace lockstep::run
