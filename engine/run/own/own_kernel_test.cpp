// A launch that the device rejects is reported with the user's own option, so that its field can be found.
#include "run/own/own_kernel.h"

#include "cuda/compiler/nvrtc.h"

#include <gtest/gtest.h>

#include <fstream>

namespace lockstep::run {
namespace {

constexpr const char* kKernel = R"(.version 7.8
.target sm_90
.address_size 64
.visible .entry free() { ret; }
.visible .entry bounded() .maxntid 128, 1, 1 { ret; }
.visible .entry fixed() .reqntid 16, 4, 1 { ret; }
.visible .entry large() { .shared .align 4 .b8 tile[60000]; .reg .u32 %r<2>; mov.u32 %r1, tile; st.shared.u32 [%r1], %r1; ret; }
)";

std::string refusalOf(const char* entry, Launch launch) {
    const Expected<ptx::Module> module = ptx::parse(kKernel, "k.ptx");
    EXPECT_TRUE(module) << (module ? "" : describe(module.error()));
    launch.entry = entry;
    const Expected<void> taken = checkLaunch(*module, launch, {});
    return taken ? "" : taken.error().message.english();
}

TEST(OwnKernelTest, ALaunchThatNoDeviceTakesNamesTheOptionThatIsToBlame) {
    struct Case {
        const char* entry;
        Launch launch;
        const char* begins;
    };
    const Case cases[] = {
        {"free",
         {.entry = {}, .grid = {1, 1, 1}, .block = {1024, 1, 1}, .dynamicSharedBytes = 4096, .arguments = {}},
         ""},
        {"free",
         {.entry = {}, .grid = {1, 1, 1}, .block = {2048, 1, 1}, .arguments = {}},
         "--block 2048: kernel \"free\": a block of 2048x1x1 has too many threads"},
        {"free", {.entry = {}, .grid = {1, 1, 1}, .block = {1, 1, 65}, .arguments = {}}, "--block 1,1,65: "},
        {"free",
         {.entry = {}, .grid = {1, 65536, 1}, .block = {32, 1, 1}, .arguments = {}},
         "--grid 1,65536: kernel \"free\": a grid of 1x65536x1 is too large"},
        {"free",
         {.entry = {}, .grid = {1, 1, 1}, .block = {32, 1, 1}, .dynamicSharedBytes = 300000, .arguments = {}},
         "--shared 300000: kernel \"free\": it needs 300,000 bytes of shared memory"},
        {"bounded",
         {.entry = {}, .grid = {1, 1, 1}, .block = {129, 1, 1}, .arguments = {}},
         "--block 129: kernel \"bounded\": it was compiled for at most 128 threads"},
        {"fixed",
         {.entry = {}, .grid = {1, 1, 1}, .block = {64, 1, 1}, .arguments = {}},
         "--block 64: kernel \"fixed\": it was compiled for blocks of 16x4x1"},
        {"large",
         {.entry = {}, .grid = {1, 1, 1}, .block = {32, 1, 1}, .arguments = {}},
         "kernel \"large\": its shared arrays take 60,000 bytes"},  // no launch would do
    };
    for (const Case& c : cases) {
        const std::string refusal = refusalOf(c.entry, c.launch);
        if (*c.begins)
            EXPECT_TRUE(refusal.starts_with(c.begins)) << refusal;
        else
            EXPECT_EQ(refusal, "");
    }
}

TEST(OwnKernelTest, AnEmptyFieldIsNamedWhereThereIsAFile) {
    const std::string file = testing::TempDir() + "own_kernel_test.ptx";
    std::ofstream(file) << ".version 8.0\n";
    const auto refusal = [](const std::string& of, const char* grid, const char* block) {
        return requestOf(of, "free",
                         {.grid = grid, .block = block, .defines = {}, .arguments = {}, .includeFolders = {}})
            .error()
            .message.english();
    };
    EXPECT_TRUE(refusal(file, "", "32").starts_with("--grid is missing"));
    EXPECT_TRUE(refusal(file, "1", "").starts_with("--block is missing"));
    EXPECT_TRUE(refusal(file + ".not", "", "").starts_with("cannot be read; give the path"));
    EXPECT_TRUE(refusal(testing::TempDir(), "", "").starts_with("is a folder; give the path"));
}

TEST(OwnKernelTest, AHeaderThatIsForTheHostStopsNoKernelThatNeedsNothingOfIt) {
    if (!cuda::findNvrtc()) GTEST_SKIP() << "no NVRTC here";
    const std::filesystem::path folder = testing::TempDir() + "own_kernel_headers";
    std::filesystem::create_directories(folder);
    // What NVRTC itself defines is not known when host code is looked for.
    std::ofstream(folder / "checks.h") << "#if defined(__CUDACC_VER_MAJOR__)\nstatic const char* nameOf(int "
                                          "error) { return host(error); }\n#endif\n";
    std::ofstream(folder / "sum.h") << "__device__ int twice(int a) { return 2 * a; }\n";
    const auto entriesOf = [&](const char* text) {
        std::ofstream(folder / "f.cu") << text;
        const Expected<FileContents> contents = contentsOf(folder / "f.cu", {}, {}, {folder});
        return contents ? contents->kernels.size() : 0;
    };
    EXPECT_EQ(entriesOf("#include <checks.h>\n#include <sum.h>\n"
                        "__global__ void f(int* a) { *a = twice(*a); }\nint main() {}\n"),
              1u);
    std::ofstream(folder / "f.cu") << "#include <checks.h>\n__global__ void f(int* a) { nameOf(*a); }\n"
                                      "int main() {}\n";
    const Expected<FileContents> contents = contentsOf(folder / "f.cu", {}, {}, {folder});
    ASSERT_FALSE(contents) << "it needs the header";
    EXPECT_TRUE(contents.error().place.file.ends_with("checks.h")) << describe(contents.error());
}

}  // namespace
}  // namespace lockstep::run
