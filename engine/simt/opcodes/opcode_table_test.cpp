// Rows as the emulator uses them: every form once, operands in place, lanes outside the mask unchanged.
#include "simt/opcodes/opcode_table.h"

#include <gtest/gtest.h>

#include <set>

namespace lockstep::simt {
namespace {

// A frame of up to eight operands, 256 bytes apart.
struct Frame {
    alignas(32) std::byte bytes[kMostOperands * 256]{};
    std::array<u32, kMostOperands> at{0, 256, 512, 768, 1024, 1280, 1536, 1792};

    template <class T> T* lanes(u32 operand) { return reinterpret_cast<T*>(bytes + at[operand]); }
    u32& mask(u32 operand) { return *lanes<u32>(operand); }
};

TEST(OpcodeTable, HasEveryFormOnce) {
    std::set<std::string_view> seen;
    for (const OpcodeRow& row : allOpcodes()) {
        EXPECT_TRUE(seen.insert(row.form).second) << row.form;
        EXPECT_NE(row.execute, nullptr) << row.form;
        EXPECT_GE(row.results, 1) << row.form;
        EXPECT_LE(row.results + row.sources, kMostOperands) << row.form;
    }
    EXPECT_EQ(findOpcode("add.q32"), nullptr);
}

TEST(OpcodeTable, LanesOutsideTheMaskKeepTheirValue) {
    Frame frame;
    for (u32 lane = 0; lane < 32; ++lane)
        frame.lanes<u32>(0)[lane] = 7, frame.lanes<u32>(1)[lane] = lane, frame.lanes<u32>(2)[lane] = 100;
    findOpcode("add.u32")->execute(frame.at.data(), frame.bytes, 0x00ff00ff);
    for (u32 lane = 0; lane < 32; ++lane)
        EXPECT_EQ(frame.lanes<u32>(0)[lane], 0x00ff00ff >> lane & 1 ? lane + 100 : 7u) << lane;
}

TEST(OpcodeTable, ADestinationMayBeASource) {
    for (u32 mask : {0xffffffffu, 0x12345678u}) {
        Frame frame;
        frame.at[1] = frame.at[2] = frame.at[0];
        for (u32 lane = 0; lane < 32; ++lane)
            frame.lanes<u32>(0)[lane] = lane;
        findOpcode("add.u32")->execute(frame.at.data(), frame.bytes, mask);
        for (u32 lane = 0; lane < 32; ++lane)
            EXPECT_EQ(frame.lanes<u32>(0)[lane], mask >> lane & 1 ? 2 * lane : lane) << lane;
    }
}

TEST(OpcodeTable, PredicatesAreLaneMasks) {
    Frame frame;
    frame.mask(0) = 0x80000001;
    for (u32 lane = 0; lane < 32; ++lane)
        frame.lanes<s32>(1)[lane] = s32(lane) - 16;
    findOpcode("setp.lt.s32")->execute(frame.at.data(), frame.bytes, 0x0fffffff);
    EXPECT_EQ(frame.mask(0), 0x8000ffffu);
}

TEST(OpcodeTable, TwoDestinationsOfSetpAreOpposites) {
    Frame frame;
    for (u32 lane = 0; lane < 32; ++lane)
        frame.lanes<u32>(2)[lane] = lane, frame.lanes<u32>(3)[lane] = 4;
    frame.mask(4) = 0x3;
    findOpcode("setp.lt.and.u32|q")->execute(frame.at.data(), frame.bytes, ~0u);
    EXPECT_EQ(frame.mask(0), 0x3u);
    EXPECT_EQ(frame.mask(1), 0x0u);
}

TEST(OpcodeTable, CarriesGoFromAddToAddc) {
    Frame low, high;
    for (u32 lane = 0; lane < 32; ++lane)
        low.lanes<u32>(2)[lane] = ~0u, low.lanes<u32>(3)[lane] = lane;
    findOpcode("add.cc.u32")->execute(low.at.data(), low.bytes, ~0u);
    EXPECT_EQ(low.mask(1), 0xfffffffeu);
    high.mask(3) = low.mask(1);
    findOpcode("addc.u32")->execute(high.at.data(), high.bytes, ~0u);
    EXPECT_EQ(high.lanes<u32>(0)[0], 0u);
    EXPECT_EQ(high.lanes<u32>(0)[1], 1u);
}

TEST(OpcodeTable, MarksTheRowsThatDivideByZero) {
    EXPECT_TRUE(findOpcode("div.s32")->dividesByZero && findOpcode("rem.u64")->dividesByZero);
    EXPECT_FALSE(findOpcode("div.rn.f32")->dividesByZero);
}

}  // namespace
}  // namespace lockstep::simt
