// What stands under the mouse at an instruction of the machine code and of PTX.
#include "viz/access/machine_text.h"

#include "explain/sentences/sentence.h"
#include "ptx/opcodes.h"
#include "sass/opcodes.h"

#include <gtest/gtest.h>

namespace lockstep::viz {
namespace {

TEST(MachineTextTest, SaysWhatTheOpcodeDoesAndWhatTheControlBitsSay) {
    // Stall count 4, gives way, write counter 1, no read counter, waits for counters 0 and 2, keeps operand
    // 0.
    const u64 upper = (u64{4} << 41) | (u64{1} << 46) | (u64{7} << 49) | (u64{0b101} << 52) | (u64{1} << 58);
    const sass::Instruction load{.offsetBytes = 0x110,
                                 .guard = {},
                                 .opcode = "LDG.E.128",
                                 .operands = "R4, [R2]",
                                 .pc = {},
                                 .encoding = {1, upper}};
    EXPECT_EQ(
        machineText(load, Language::English),
        "LDG.E.128: loads from global memory.\nControl bits: the warp's next instruction no sooner than 4 "
        "cycles later; issues once counters 0, 2 are zero; counter 1 counts until the result is written; "
        "the value of 1 register operand is kept for the next instruction; the scheduler may prefer "
        "another warp next.");
    sass::Instruction none = load;
    none.encoding = {};
    EXPECT_EQ(machineText(none, Language::Chinese), "LDG.E.128：从全局内存读取。");
    none.opcode = "XYZ";
    EXPECT_EQ(machineText(none, Language::English), "") << "not known";
}

TEST(MachineTextTest, EveryOpcodeOfTheMachineIsToldInBothLanguages) {
    for (const sass::OpcodeRow& row : sass::opcodes()) {
        EXPECT_FALSE(row.does.empty()) << row.name;
        EXPECT_NE(row.does.in(Language::Chinese), row.does.english()) << row.name;
    }
}

TEST(MachineTextTest, EveryOpcodeOfPtxIsTold) {
    for (u32 row = 0; row < ptx::opcodeTable().size(); ++row) {
        ptx::Instruction instruction;
        instruction.opcode = u16(row);
        EXPECT_FALSE(explain::opcodeSummary(instruction).english().empty()) << ptx::opcodeTable()[row].name;
    }
}

}  // namespace
}  // namespace lockstep::viz
