#include "explain/sentences/register_names.h"

#include <gtest/gtest.h>

#include <map>

namespace lockstep::explain {
namespace {

constexpr const char* kSource = R"(
// A kernel of mm(int a, int b) kind; mm(float) is not it.
__global__ void __launch_bounds__(256) mm(const float* __restrict__ M, float *P /* out */,
                                          int width, float scale);
void host() { mm<<<1, 32>>>(a, b, c, d); }
__global__ void mm(const float* M, float* P, int width, float scale) { other(M); }
)";

TEST(DeclaredParameters, AreThoseOfTheKernel) {
    const std::vector<DeclaredParameter> one{{"const float* __restrict__", "M"}, {"float *", "P"}};
    EXPECT_EQ(declaredParameters(
                  "template <int T>\n__global__ void f(const float* __restrict__ M, float *P)\n{ }", "f"),
              one);
    EXPECT_TRUE(declaredParameters("__global__ void f(int n) {} __global__ void f(float x) {}", "f").empty())
        << "which of the two?";
    EXPECT_TRUE(declaredParameters("void f(int n) {}", "f").empty()) << "not a kernel";
    EXPECT_TRUE(declaredParameters("__global__ void g(int n) { f(n); }", "f").empty())
        << "called, not declared";
    EXPECT_TRUE(declaredParameters(kSource, "m").empty());
    ASSERT_EQ(declaredParameters("__global__ void f(A<int, 3> a, int b[4])", "f").size(), 2u)
        << "a comma within a template's arguments";
    EXPECT_EQ(declaredParameters("__global__ void f(A<int, 3> a, int b[4])", "f")[1].name, "b");
}

// Names of all registers that have one, of a body behind these parameters.
std::map<std::string, std::string> namesOf(const std::string& body) {
    const std::string text = R"(.version 8.0
.target sm_75
.address_size 64
.visible .entry k(.param .u64 k_0, .param .u64 k_1, .param .u32 k_2, .param .f32 k_3)
{
    .reg .pred %p<8>; .reg .b32 %r<32>; .reg .b64 %rd<32>; .reg .f32 %f<16>;
    .shared .align 4 .b8 _ZZ1kE3Mds[64];
    ld.param.u64 %rd1, [k_0];
    ld.param.u64 %rd2, [k_1];
    ld.param.u32 %r1, [k_2];
    ld.param.f32 %f1, [k_3];
    cvta.to.global.u64 %rd3, %rd1;
    mov.u32 %r2, %ctaid.y;
    mov.u32 %r3, %tid.y;
    mov.u32 %r4, %tid.x;
)" + body + "ret;\n}\n";
    Expected<ptx::Module> module = ptx::parse(text, "k.ptx");
    EXPECT_TRUE(module) << describe(module.error());
    const ptx::Function& kernel = *module->findEntry("k");
    const std::vector<ParameterName> parameters{
        {"M", true, 4}, {"V", true, 0}, {"width", false, 0}, {"scale", false, 0}};
    const std::vector<ArrayShape> shapes{{"Mds", {4, 4}, 4}};
    const std::vector<std::string> names = registerNames(*module, kernel, parameters, shapes);
    std::map<std::string, std::string> found;
    for (std::size_t id = 0; id < names.size(); ++id)
        if (!names[id].empty()) found[std::string(kernel.registers[id].name)] = names[id];
    return found;
}

TEST(RegisterNames, AreOfParametersAndThreads) {
    auto names = namesOf("");
    EXPECT_EQ(names["%r1"], "width");
    EXPECT_EQ(names["%f1"], "scale");
    EXPECT_EQ(names["%rd1"], "M");
    EXPECT_EQ(names["%rd3"], "M") << "the same pointer";
    EXPECT_EQ(names["%rd2"], "V");
    EXPECT_EQ(names["%r2"], "blockIdx.y");
}

TEST(RegisterNames, AreSumsAndProducts) {
    auto names = namesOf(R"(
    shl.b32 %r5, %r2, 1;
    add.s32 %r6, %r5, %r3;
    mul.lo.s32 %r7, %r6, %r1;
    add.s32 %r8, %r4, %r7;
    add.s32 %r9, %r8, -1;
    sub.s32 %r10, %r6, %r3;
    setp.lt.s32 %p1, %r6, %r1;
    and.b32 %r11, %r4, 31;
    mov.u32 %r12, %ntid.x;
    mad.lo.s32 %r13, %r2, %r12, %r4;
)");
    EXPECT_EQ(names["%r6"], "2 * blockIdx.y + threadIdx.y");
    EXPECT_EQ(names["%r7"], "(2 * blockIdx.y + threadIdx.y) * width");
    EXPECT_EQ(names["%r8"], "threadIdx.x + (2 * blockIdx.y + threadIdx.y) * width");
    EXPECT_EQ(names["%r9"], "threadIdx.x + (2 * blockIdx.y + threadIdx.y) * width - 1");
    EXPECT_EQ(names["%r10"], "2 * blockIdx.y") << "what is taken away again is gone";
    EXPECT_EQ(names["%p1"], "2 * blockIdx.y + threadIdx.y < width");
    EXPECT_EQ(names["%r11"], "(threadIdx.x & 31)");
    EXPECT_EQ(names["%r13"], "blockIdx.y * blockDim.x + threadIdx.x");
}

TEST(RegisterNames, AreElementsAndTheirAddresses) {
    auto names = namesOf(R"(
    mad.lo.s32 %r5, %r3, %r1, %r4;
    mul.wide.s32 %rd4, %r5, 4;
    add.s64 %rd5, %rd3, %rd4;
    ld.global.f32 %f2, [%rd5+4];
    mov.u64 %rd6, _ZZ1kE3Mds;
    mul.wide.u32 %rd7, %r3, 16;
    add.s64 %rd8, %rd6, %rd7;
    mul.wide.u32 %rd9, %r4, 4;
    add.s64 %rd10, %rd8, %rd9;
    ld.shared.f32 %f3, [%rd8+4];
    ld.shared.f32 %f4, [%rd10+32];
    ld.shared.u16 %r6, [%rd10];
    add.s64 %rd11, %rd2, %rd4;
)");
    EXPECT_EQ(names["%rd5"], "&M[threadIdx.y * width + threadIdx.x]");
    EXPECT_EQ(names["%f2"], "M[threadIdx.y * width + threadIdx.x + 1]");
    EXPECT_EQ(names["%rd10"], "&Mds[threadIdx.y][threadIdx.x]");
    EXPECT_EQ(names["%f3"], "Mds[threadIdx.y][1]");
    EXPECT_EQ(names["%f4"], "Mds[threadIdx.y + 2][threadIdx.x]");
    EXPECT_FALSE(names.contains("%r6")) << "half an element";
    EXPECT_FALSE(names.contains("%rd11")) << "of what V points to nothing is known";
}

TEST(RegisterNames, AreNotGivenWhereTheyAreNotProven) {
    auto names = namesOf(R"(
    mov.u32 %r5, 0;
LOOP:
    add.s32 %r6, %r5, %r4;
    add.s32 %r5, %r5, 1;
    setp.lt.s32 %p1, %r5, %r1;
    @%p1 bra LOOP;
    add.s32 %r7, %r4, -1;
    mul.wide.u32 %rd4, %r7, 4;
    add.s64 %rd5, %rd3, %rd4;
    mul.wide.s32 %rd6, %r7, 4;
    mul.hi.u32 %r8, %r4, %r1;
    min.s32 %r9, %r4, %r1;
)");
    for (const char* name : {"%r5", "%r6", "%p1"})
        EXPECT_FALSE(names.contains(name)) << name << ": another value each time round";
    for (const char* name : {"%rd4", "%rd5"})
        EXPECT_FALSE(names.contains(name)) << name << ": of thread 0 it is no small number";
    EXPECT_EQ(names["%rd6"], "4 * threadIdx.x - 4");
    for (const char* name : {"%r8", "%r9"})
        EXPECT_FALSE(names.contains(name)) << name;
}

}  // namespace
}  // namespace lockstep::explain
