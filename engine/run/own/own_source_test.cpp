// A mistake in PTX that a file was compiled to is told at the line of the file; warnings are about what the
// user wrote for the device.
#include "run/own/own_source.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace lockstep::run {
namespace {

constexpr const char* kPtx = R"(.version 9.0
.visible .entry total()
{
.shared .align 4 .b8 _ZZ5totalPKiPiiE5parts[400000];
.loc 1 3 5
mov.u32 %r1, 0;
.loc 1 4 5
foo.bar %r1;
}
.visible .entry other()
{
foo.bar %r1;
}
.visible .entry inlined()
{
.loc 2 70 5
foo.bar %r1;
}
	.file	1 "some/folder/total.cu"
	.file	2 "/usr/include/other.h"
)";
constexpr const char* kSource = R"(// parts of it
__global__ void total(const int* in, int* out, int n) {
    __shared__ int nparts; __shared__ int parts[100000];
    asm("foo.bar %0;");
}
)";

Fault atLine(u32 line) {
    return Fault{.kind = FaultKind::Syntax,
                 .message = Message::plain("unknown opcode"),
                 .place = {"total.cu (as PTX)", line, 3},
                 .pc = {},
                 .block = {},
                 .thread = {}};
}

TEST(AtSource, SaysTheLineOfTheFileWhereItIsKnown) {
    struct Case {
        u32 ptxLine;
        const char* says;
    };
    constexpr Case kCases[] = {
        {8, "total.cu:4: unknown opcode"},
        {6, "total.cu:3: unknown opcode"},
        {4, "total.cu:3: unknown opcode"},               // not the comment, not nparts
        {12, "total.cu (as PTX):12:3: unknown opcode"},  // another function, without lines
        {17, "total.cu (as PTX):17:3: unknown opcode"},  // a header's line
        {0, "total.cu (as PTX): unknown opcode"},
        {1000, "total.cu (as PTX):1000:3: unknown opcode"},
    };
    for (const Case& c : kCases)
        EXPECT_EQ(describe(atSource(atLine(c.ptxLine), kPtx, "total.cu", kSource)), c.says);
}

TEST(AtSource, FindsTheDeclarationOfAVariable) {
    EXPECT_EQ(describe(atSource(atLine(4), kPtx, "total.cu",
                                "__shared__ int nparts;\n__shared__ int parts[100000];\n")),
              "total.cu:2: unknown opcode");
    EXPECT_EQ(describe(atSource(atLine(4), kPtx, "total.cu", "__shared__ int renamed;\n")),
              "total.cu (as PTX):4:3: unknown opcode");
}

std::string warningsOf(const std::string& text, const std::filesystem::path& file) {
    const source::CourseFile course = readOwnSource(text, file, {}, {});
    const Expected<cuda::CompiledPtx> ptx = compileOwnSource(course, text, file.string(), {});
    if (!ptx) return describe(ptx.error());
    std::string all;
    for (const Fault& warning : ptx->warnings)
        all += fmt::format("{}:{}: {}\n", std::filesystem::path(warning.place.file).filename().string(),
                           warning.place.line, warning.message.english());
    return all;
}

TEST(OwnSource, IsSaidToBeNoTextWhereItIsNone) {
    const std::string text = "\x64\xb4\xa2\xef kI";
    const Expected<cuda::CompiledPtx> ptx =
        compileOwnSource(readOwnSource(text, "bin.cu", {}, {}), text, "bin.cu", {});
    ASSERT_FALSE(ptx);
    EXPECT_EQ(describe(ptx.error()), "bin.cu: this file is no text, so that it cannot be CUDA source");
}

TEST(OwnWarnings, AreAboutTheUsersDeviceCode) {
    if (!cuda::findNvrtc()) GTEST_SKIP() << "there is no NVRTC here to compile with";
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "own_warnings";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "own.h") << "#include <vector>\n__device__ inline int twice(int x) {\n    int "
                                       "lost = x;\n    return 2 * x;\n}\n"
                                       "inline std::vector<int> host() { return {}; }\n";
    EXPECT_EQ(warningsOf(R"(#include "own.h"
#include <cstdio>
static const int kSize = 64;
static void check(int code) { if (code) printf("no\n"); }
__global__ void f(int* p) {
    int unused;
    int set = p[1];
    p[threadIdx.x] = twice(p[0]);
}
int main() {
    check(0);
    f<<<1, kSize>>>(nullptr);
}
)",
                         folder / "f.cu"),
              "own.h:3: variable \"lost\" was declared but never referenced\n"
              "f.cu:6: variable \"unused\" was declared but never referenced\n"
              "f.cu:7: variable \"set\" was declared but never referenced\n");
    EXPECT_EQ(warningsOf("__global__ void f(int* p) { int sum; sum = p[0]; *p = 1; }\n", folder / "g.cu"),
              "g.cu:1: variable \"sum\" was set but never used\n");
    // A header that is not there: skipped, or what the compiler lacks.
    EXPECT_EQ(warningsOf("#include \"lost.h\"\n__global__ void f(int* p) { *p = 1; }\n", folder / "g.cu"),
              "g.cu:1: 'lost.h' was not found and is skipped; give its folder with --include if kernels need "
              "it\n");
    EXPECT_TRUE(
        warningsOf("#include \"lost.h\"\n__global__ void f(int* p) { *p = lost(1); }\n", folder / "g.cu")
            .find("\"lost\" is undefined (line 1: 'lost.h' was not found") != std::string::npos);
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace lockstep::run
