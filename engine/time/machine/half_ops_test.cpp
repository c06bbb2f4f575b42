// Instructions of halves, with results worked out by hand. What whole kernels leave in memory is compared
// with their PTX whenever one is timed.
#include "base/device_addresses.h"
#include "ptx/module.h"
#include "time/machine/run_launch.h"
#include "time/model/test_text.h"

#include <gtest/gtest.h>

#include <cstring>

namespace lockstep::time {
namespace {

constexpr u32 kOne = 0x3c00, kTwo = 0x4000, kThree = 0x4200, kHalf = 0x3800, kMinusOne = 0xbc00;
constexpr u32 pairOf(u32 upper, u32 lower) { return upper << 16 | lower; }
constexpr u32 kFloatOne = 0x3f800000, kFloatThird = 0x3eaaaaab;

struct Case {
    const char* instruction;  // writes R8; P0 and P1 go to its lowest bits where it is a comparison
    u32 a = 0, b = 0, c = 0;  // R4, R5, R6
    u32 want = 0;
};

u32 resultOf(const Case& one) {
    const Expected<ptx::Module> module =
        ptx::parse(".version 8.0\n.target sm_90\n.address_size 64\n", "none");
    EXPECT_TRUE(module);
    std::vector<Buffer> buffers{
        {.name = "out", .type = ElementType::U32, .shape = {1}, .bytes = std::vector<std::byte>(4)}};
    const u64 address = deviceAddressOf(0);
    std::vector<std::byte> parameters(8);
    std::memcpy(parameters.data(), &address, 8);
    Text text;
    text.add("LDC.64 R2, c[0x0][0x210]");
    for (const auto& [number, value] : {std::pair{4, one.a}, {5, one.b}, {6, one.c}, {8, 0u}})
        text.add(fmt::format("MOV R{}, 0x{:x}", number, value));
    text.add(one.instruction);
    if (std::string_view(one.instruction).starts_with("HSETP2")) {
        text.add("SEL R8, RZ, 0x1, !P0");
        text.add("SEL R9, RZ, 0x2, !P1");
        text.add("IADD3 R8, R8, R9, RZ");
    }
    text.add("STG.E desc[UR4][R2.64], R8").add("EXIT");
    const Expected<Program> program =
        makeProgram(text.function(), {.grid = {1, 1, 1}, .block = {1, 1, 1}, .sharedBytes = 0}, parameters);
    EXPECT_TRUE(program) << one.instruction << (program ? "" : describe(program.error()));
    if (!program) return 0;
    const simt::DeviceMemory memory(*module, buffers);
    const Expected<LaunchCounts> counts = runLaunch(*program, memory);
    EXPECT_TRUE(counts) << one.instruction << (counts ? "" : describe(counts.error()));
    u32 result = 0;
    std::memcpy(&result, buffers[0].bytes.data(), 4);
    return result;
}

TEST(HalfOps, ComputeBothHalves) {
    constexpr u32 kLeast = 0x0001, kMost = 0x7bff, kInfinity = 0x7c00, kNan = 0x7fff;
    const Case cases[] = {
        {"HADD2 R8, R4, R5", pairOf(kOne, kTwo), pairOf(kTwo, kMinusOne), 0, pairOf(kThree, kOne)},
        {"HADD2 R8, R4.H0_H0, -R5.H1_H1", pairOf(0, kThree), pairOf(kOne, 0), 0, pairOf(kTwo, kTwo)},
        {"HADD2 R8, |R4|, R5", pairOf(kMinusOne, kMinusOne), pairOf(kOne, kTwo), 0, pairOf(kTwo, kThree)},
        {"HADD2 R8, R4, 2, -1", pairOf(kOne, kThree), 0, 0, pairOf(kThree, kTwo)},
        {"HADD2 R8, R4, R5", pairOf(kMost, kLeast), pairOf(kMost, kLeast), 0, pairOf(kInfinity, 0x0002)},
        {"HADD2.SAT R8, R4, R5", pairOf(kTwo, kMinusOne), pairOf(kOne, 0), 0, pairOf(kOne, 0)},
        {"HADD2.FTZ R8, R4, R5", pairOf(kLeast, kOne), pairOf(kLeast, kOne), 0, pairOf(0, kTwo)},
        {"HADD2 R8, R4, R5", pairOf(kInfinity, kOne), pairOf(0xfc00, kOne), 0, pairOf(kNan, kTwo)},
        {"HMUL2 R8, R4, R5.H0_H0", pairOf(kTwo, kThree), kHalf, 0, pairOf(kOne, 0x3e00)},
        {"HFMA2 R8, R4.H1_H1, R5, R6.H0_H0", pairOf(kTwo, 0), pairOf(kOne, kHalf), kOne,
         pairOf(kThree, kTwo)},
        {"HFMA2 R8, R4, 2, 3, R6", pairOf(kOne, kOne), 0, pairOf(kMinusOne, 0), pairOf(kOne, kThree)},
        {"HFMA2.RELU R8, R4, R5, R6", pairOf(kOne, kOne), pairOf(kMinusOne, kOne), 0, pairOf(0, kOne)},
        {"HFMA2.MMA R8, -RZ, RZ, 0, 3.0517578125e-05", 0, 0, 0, 0x200},
        {"HFMA2.MMA R8, -RZ, RZ, +INF , 0", 0, 0, 0, 0x7c000000},
        {"HFMA2.BF16_V2 R8, R4, R5, R6", pairOf(0x3f80, 0x4000), pairOf(0x4000, 0x4000),
         pairOf(0x3f80, 0xbf80), pairOf(0x4040, 0x4040)},
        {"HADD2.BF16_V2 R8, R4, 1, 1", pairOf(0x3f80, 0x4000), 0, 0, pairOf(0x4000, 0x4040)},
        // One rounding: (1 + 3 * 2^-10) squared, less 1 + 6 * 2^-10, leaves 9 * 2^-20.
        {"HFMA2 R8, R4, R4, R6", pairOf(0x3c03, 0x3c03), 0, pairOf(0xbc06, 0xbc06), pairOf(0x90, 0x90)},
        {"HADD2.F32 R8, -RZ, R4.H1_H1", pairOf(kOne, kTwo), 0, 0, kFloatOne},
        {"HADD2.F32 R8, -RZ, -R4.H0_H0", pairOf(kOne, kMinusOne), 0, 0, kFloatOne},
        {"HMNMX2 R8, R4, R5, PT", pairOf(kOne, kThree), pairOf(kTwo, kTwo), 0, pairOf(kOne, kTwo)},
        {"HMNMX2 R8, R4, RZ.H0_H0, !PT", pairOf(kMinusOne, kThree), 0, 0, pairOf(0, kThree)},
        {"HMNMX2 R8, R4, R5, PT", pairOf(kNan, kOne), pairOf(kTwo, kNan), 0, pairOf(kTwo, kOne)},
        {"HMNMX2.NAN R8, R4, R5, PT", pairOf(kNan, kOne), pairOf(kTwo, kTwo), 0, pairOf(kNan, kOne)},
        {"HSETP2.GT.AND P0, P1, R4, R5, PT", pairOf(kOne, kThree), pairOf(kTwo, kTwo), 0, 1},
        {"HSETP2.GEU.AND P0, PT, R4.H1_H1, R5.H0_H0, PT", pairOf(kNan, 0), kOne, 0, 1},
        {"HSETP2.LT.OR P0, P1, R4, R5, !PT", pairOf(kOne, kThree), pairOf(kTwo, kTwo), 0, 2},
        {"HSET2.BF.GE.AND R8, R4, R5, PT", pairOf(kTwo, kOne), pairOf(kTwo, kTwo), 0, pairOf(kOne, 0)},
        {"HSET2.NE.AND R8, R4, R5, PT", pairOf(kTwo, kOne), pairOf(kTwo, kTwo), 0, 0xffff},
        {"F2FP.F16.F32.PACK_AB R8, R4, R5", kFloatOne, kFloatThird, 0, pairOf(kOne, 0x3555)},
        {"F2FP.F16.F32.PACK_AB.RZ R8, RZ, R4", 0x3f7fffff, 0, 0, 0x3bff},
        {"F2FP.BF16.F32.PACK_AB R8, R4, R5", kFloatOne, kFloatThird, 0, pairOf(0x3f80, 0x3eab)},
        {"F2FP.BF16.F32.PACK_AB.RELU R8, R4, R5", 0xbf800000, kFloatOne, 0, 0x3f80},
        {"F2I.F16.TRUNC.NTZ R8, R4", 0xc700, 0, 0, u32(-7)},  // -7.0
        {"F2I.U32.F16.NTZ R8, |R4|", 0xc100, 0, 0, 2},        // 2.5, to even
        {"F2I.BF16.FLOOR.NTZ R8, R4", 0xbfc0, 0, 0, u32(-2)},
        {"I2F.F16 R8, R4", u32(-2049), 0, 0, 0xe800},  // a tie, to even
        {"I2F.F16.U32 R8, R4", 70'000, 0, 0, kInfinity},
        {"FRND.F16.FLOOR R8, R4", 0xbe00, 0, 0, 0xc000},   // -1.5
        {"F2F.F16.F64 R8, R4", 0, 0x3ff80000, 0, 0x3e00},  // 1.5
    };
    for (const Case& one : cases)
        EXPECT_EQ(resultOf(one), one.want)
            << one.instruction << fmt::format(": {:08x} for {:08x}", resultOf(one), one.want);
}

TEST(HalfOps, OthersAreNotExecuted) {
    for (const char* other : {"REDG.E.ADD.BF16_V2 desc[UR4][R2.64], R4", "F2F.BF16.F64 R8, R4",
                              "HADD2.F32.FTZ R8, -RZ, R4.H0_H0", "HFMA2.BF16_V2.FTZ R8, R4, R5, R6"}) {
        Text text;
        text.add(other).add("EXIT");
        EXPECT_FALSE(makeProgram(text.function(), {.grid = {1, 1, 1}, .block = {1, 1, 1}, .sharedBytes = 0},
                                 std::vector<std::byte>(8)))
            << other;
    }
}

}  // namespace
}  // namespace lockstep::time
