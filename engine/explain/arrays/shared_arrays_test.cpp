// Shapes of shared arrays, solved from their declarations.
#include "explain/arrays/shared_arrays.h"

#include "base/device_addresses.h"
#include "explain/sentences/address_names.h"
#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

namespace lockstep::explain {
namespace {

TEST(SharedArraysTest, DeclarationsAreSolvedForTheSizeThatIsKnown) {
    struct Case {
        const char* source;
        const char* name;
        u64 elements;
        std::vector<u64> shape;
    };
    const Case cases[] = {
        {"__shared__ float Mds[T][T];", "Mds", 256, {16, 16}},
        {"__shared__ float tile[TILE][TILE + 1];", "tile", 32 * 33, {32, 33}},
        {"__shared__ float tile[32][32 + padding];", "tile", 1024, {32, 32}},
        {"__shared__ float a[2][T][T], b[T*T];", "a", 128, {2, 8, 8}},
        {"__shared__ float a[2][T][T], b[T*T];", "b", 64, {64}},
        {"__shared__ int counts[256];", "counts", 256, {256}},
        {"__shared__ float xs[4*(N+1)];", "xs", 20, {20}},
        {"__shared__ float Mds[T][T];", "Mds", 257, {}},
        {"__shared__ float Mds[T][T];", "Nds", 256, {}},
        {"float Mds[T][T];", "Mds", 256, {}},
        {"__shared__ float aMds[T];\n__shared__ float Mds[8];", "Mds", 8, {8}},
        {"__shared__ float Mds[T - ];", "Mds", 8, {}},
        {"extern __shared__ float partial[];", "partial", 8, {}},
        {"__shared__ float Mds[((((((((((T))))))))))];", "Mds", 8, {}},
    };
    for (const Case& c : cases)
        EXPECT_EQ(declaredShape(c.source, c.name, c.elements), c.shape) << c.source << " " << c.name;
}

TEST(SharedArraysTest, KnownConstantsSettleAShape) {
    const char* source =
        "template <int Tile, int Depth>  // comment\n__global__ void __launch_bounds__(Tile * Depth) "
        "mm(const float* M)\n{\n    constexpr int Each = Tile / Depth;\n"
        "    __shared__ alignas(16) float Mds[2][Depth][Tile + 4], Nds[Each][Depth];\n}\n#define N 12\nconst "
        "int Rows = N << 1;\n__shared__ int a[Rows % 5];";
    const Constants constants = constantsOf(source, "void mm<32, 8>(float const*)");
    EXPECT_EQ(constants, (Constants{{"Tile", 32}, {"Depth", 8}, {"Each", 4}, {"N", 12}, {"Rows", 24}}));
    EXPECT_EQ(declaredShape(source, "Mds", 2 * 8 * 36, constants), (std::vector<u64>{2, 8, 36}));
    EXPECT_EQ(declaredShape(source, "Nds", 32, constants), (std::vector<u64>{4, 8}));
    EXPECT_EQ(knownShape(source, "a", constants), (std::vector<u64>{4}));
    EXPECT_EQ(constantsOf("const int a = 1;\nconst int a = 2;\nconst int b = a;\nconst int c = f(1);", "k"),
              Constants{})
        << "two of one name, and what nobody can compute";
    EXPECT_EQ(constantValue("1 << 60", {}), std::nullopt);
    EXPECT_EQ(constantValue("7 / 0", {}), std::nullopt);
}

TEST(SharedArraysTest, ArraysLieOneBehindTheOther) {
    const run::Run run = viz::tiledMatmul(3, 2, true);
    const std::vector<SharedArray> arrays = sharedArrays(*run.module, run.recording.launches[0]);
    ASSERT_EQ(arrays.size(), 2u);
    EXPECT_EQ(arrays[0].name, "Mds");
    EXPECT_EQ(arrays[0].shape, (std::vector<u64>{2, 2}));
    EXPECT_EQ(arrays[1].name, "Nds");
    EXPECT_EQ(arrays[1].base, 16u);
}

TEST(SharedArraysTest, ElementsAreAsWideAsTheNarrowestAccess) {
    const auto bytesOf = [](const char* type, const char* instruction, u32 align) {
        const std::string ptx =
            std::string(
                ".version 7.5\n.target sm_75\n.address_size 64\n.visible .entry k() {\n.reg .b64 "
                "%rd<3>;\n.reg .b32 %r<3>;\n.reg .f32 %f<5>;\n.shared .align ") +
            std::to_string(align) + " .b8 a[256];\nmov.u64 %rd1, a;\n" + instruction + "\nret;\n}\n";
        const Launch launch{
            .entry = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}, .dynamicSharedBytes = 0, .arguments = {}};
        return sharedArrays(*ptx::parse(ptx, type), launch)[0].elementBytes;
    };
    EXPECT_EQ(bytesOf("double", "ld.shared.f64 %rd2, [%rd1];", 8), 8u);
    EXPECT_EQ(
        bytesOf("float4, of which each is read alone", "ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];", 16),
        4u);
    EXPECT_EQ(bytesOf("float", "ld.shared.f32 %f1, [%rd1];", 4), 4u);
    EXPECT_EQ(bytesOf("bytes", "ld.shared.u8 %r1, [%rd1];", 1), 1u);
    EXPECT_EQ(bytesOf("never accessed", "", 16), 4u);
}

// A function and a local array of the same name are none of the module's.
TEST(SharedArraysTest, VariablesOfTheModuleHaveTheShapesOfTheirDeclarations) {
    Expected<ptx::Module> module = ptx::parse(
        ".version 8.0\n.target sm_90\n.address_size 64\n.global .align 4 .b8 part[32];\n"
        ".global .align 4 .b8 table[32];\n.const .align 4 .u32 steps;\n"
        ".global .align 8 .b8 unknown[16];\n.visible .entry k() { ret; }\n",
        "k.ptx");
    ASSERT_TRUE(module);
    module->sources = {
        "__device__ int f(int part) { float table[5]; return part; }\n"
        "__device__ int part[8];\n__device__ float table[2][4];\n__constant__ int steps;\n"
        "__global__ void k() {}\n"};
    const Launch launch{
        .entry = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}, .dynamicSharedBytes = 0, .arguments = {}};
    trace::Recording recording;
    const std::vector<ArrayShape> shapes = arrayShapes(*module, launch, {});
    const auto nameOf = [&](u32 variable, u64 offset, u32 bytes) {
        return nameOfGlobalAddress(deviceAddressOf(variable) + offset, bytes, *module, recording, shapes);
    };
    EXPECT_EQ(nameOf(0, 12, 4), "part[3]");
    EXPECT_EQ(nameOf(1, 20, 4), "table[1][1]");
    EXPECT_EQ(nameOf(2, 0, 4), "steps");
    EXPECT_EQ(nameOf(3, 8, 4), "unknown + 8 bytes") << "no declaration tells";
}

}  // namespace
}  // namespace lockstep::explain
