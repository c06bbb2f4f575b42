// What is proposed to check a kernel against, from its parameters, its name and its code.
#include "run/own/proposed_references.h"

#include "explain/source/parameter_names.h"
#include "run/own/reference_example.h"

#include <gtest/gtest.h>

namespace lockstep::run {
namespace {

constexpr const char* kMatmulBody =
    "float s = 0; for (int k = 0; k < w; ++k) s += A[r * w + k] * B[k * w + c]; C[r * w + c] = s;";

std::string first(const KernelInFile& kernel, const std::vector<std::string>& arguments, const char* grid,
                  const char* block) {
    const std::vector<std::string> proposed =
        proposedReferences(kernelShapeOf(kernel, arguments, grid, block));
    return proposed.empty() ? "" : proposed.front();
}

TEST(ProposedReferencesTest, FitTheKernel) {
    struct Case {
        const char* what;
        KernelInFile kernel;
        std::vector<std::string> arguments;
        const char *grid, *block, *proposed;
    };
    const std::string f(R"(f32[4096]=random)");
    const Case cases[] = {
        {"by its name",
         {"matMulKernel",
          "matMulKernel(float const*, float const*, float*, int)",
          {},
          {"d_A", "d_B", "d_C", "w"}},
         {f, f, f, "i32:64"},
         "4,4",
         "16,16",
         "matmul:M=0,N=1,P=2,width=64"},
        {"by its code",
         {"k", "k(float const*, float const*, float*, int)", {}, {"A", "B", "C", "w"}, kMatmulBody},
         {f, f, f, "i32:64"},
         "256",
         "16",
         "matmul:M=0,N=1,P=2,width=64"},
        {"the output stands first",
         {"mm", "mm(float*, float const*, float const*, int)", {}, {"C", "A", "B", "w"}},
         {f, f, f, "i32:64"},
         "4,4",
         "16,16",
         "matmul:M=1,N=2,P=0,width=64"},
        {"the code tells the output",
         {"mm", "mm", {}, {"C", "A", "B", "w"}, kMatmulBody},
         {f, f, f, "i32:64"},
         "4,4",
         "16,16",
         "matmul:M=1,N=2,P=0,width=64"},
        {"rectangular",
         {"gemm",
          "gemm(float const*, float const*, float*, int, int, int)",
          {},
          {"A", "B", "C", "m", "n", "q"}},
         {"f32[12]=random", "f32[20]=random", "f32[15]=zero", "i32:3", "i32:5", "i32:4"},
         "1",
         "8,8",
         "matmul:M=0,N=1,P=2,j=3,k=4,l=5"},
        {"a transpose by its shape",
         {"k", "k(float const*, float*, int)", {}, {"a", "b", "w"}},
         {f, f, "i32:64"},
         "4,4",
         "16,16",
         "transpose:in=0,out=1,width=64"},
        {"a total",
         {"reduceMax", "reduceMax(float const*, float*, int)", {}, {"a", "b", "n"}},
         {f, "f32[1]=zero", "i32:4096"},
         "1",
         "256",
         "reduction:in=0,out=1,n=4096,parts=1,op=max"},
        {"partial sums",
         {"k", "k(float const*, float*, int)", {}, {"a", "b", "n"}},
         {"f32[1000]=random", "f32[8]=zero", "i32:1000"},
         "8",
         "128",
         "reduction:in=0,out=1,n=1000,parts=8,op=sum,chunk=128"},
        {"a scan of a part",
         {"inclusive_scan", "inclusive_scan(int const*, int*, int)", {}, {"in", "out", "n"}},
         {"i32[1024]=random", "i32[1024]=zero", "i32:1000"},
         "1",
         "1024",
         "scan:in=0,out=1,n=1000"},
        {"a histogram",
         {"hist", "hist(unsigned char const*, int*, int)", {}, {"v", "c", "n"}},
         {"u8[1000]=random", "i32[10]=zero", "i32:1000"},
         "8",
         "128",
         "histogram:values=0,counts=1,n=1000,bins=10"},
        {"nothing",
         {"saxpy", "saxpy(int, float, float const*, float*)", {}, {"n", "a", "x", "y"}},
         {"i32:1024", "f32:2", "f32[1024]=random", "f32[1024]=random"},
         "8",
         "128",
         ""},
        {"what cannot be read",
         {"mm", "mm", {}, {}},
         {"", "x", "f32[", "f32[99999999999999999999]"},
         "",
         "x",
         ""},
    };
    for (const Case& c : cases)
        EXPECT_EQ(first(c.kernel, c.arguments, c.grid, c.block), c.proposed) << c.what;
}

TEST(ProposedReferencesTest, OfARunNameItsOtherKernels) {
    Options options;
    options.backend = "emulator";
    const Expected<run::Run> run = lockstep::run::run(copyExperiment("wrong"), options);
    ASSERT_TRUE(run) << describe(run.error());
    EXPECT_EQ(proposedReferences(kernelShapeOf(*run)),
              (std::vector<std::string>{"kernel:right", "kernel:idle"}));
}

TEST(ProposedReferencesTest, TheCodeOfAKernelIsFoundBetweenItsBraces) {
    const char* source =
        "__global__ void a(int x);\n__global__ void b(int x) { /* } */ if (x) { x = 1; } }\nvoid c() {}\n";
    EXPECT_EQ(explain::kernelBody(source, "b"), "   if (x) { x = 1; } ");
    EXPECT_EQ(explain::kernelBody(source, "c"), "");
    EXPECT_EQ(explain::kernelBody("__global__ void b(int x) {", "b"), "");
}

}  // namespace
}  // namespace lockstep::run
