#include "sass/decode.h"

#include "sass/listing_text.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

namespace lockstep::sass {
namespace {

// Lines of listings of `nvdisasm -hex` 13.0 for sm_90.
Instruction instructionOf(std::string guard, std::string opcode, std::string operands, u64 first,
                          u64 second) {
    return {.guard = std::move(guard),
            .opcode = std::move(opcode),
            .operands = std::move(operands),
            .encoding = {first, second}};
}

DecodedInstruction decoded(const Instruction& instruction) {
    const Expected<DecodedInstruction> result = decode(instruction);
    EXPECT_TRUE(result) << describe(result.error());
    return result.value_or(DecodedInstruction{});
}

TEST(Decode, ReadsControlBits) {
    // S2R R5, SR_CTAID.X raises counter 1; the next instruction but one waits for it.
    EXPECT_EQ(controlBits(0x000e620000002500),
              (ControlBits{.stallCycles = 1, .givesWay = false, .writeCounter = 1}));
    EXPECT_EQ(controlBits(0x002fc800078e28ff),
              (ControlBits{.stallCycles = 4, .givesWay = true, .waitMask = 2}));
    EXPECT_EQ(controlBits(0x040fe20007ffe0ff),
              (ControlBits{.stallCycles = 1, .givesWay = false, .reuse = 1}));
    EXPECT_EQ(controlBits(0x0003e2000812184a),
              (ControlBits{.stallCycles = 1, .givesWay = false, .readCounter = 1}));
}

TEST(Decode, ReadsRegistersAndTheirModifiers) {
    const DecodedInstruction add = decoded(
        instructionOf("", "IADD3", "R19, R15.reuse, -R2, RZ", 0x000000100f137810, 0x040fe20007ffe0ff));
    ASSERT_EQ(add.operandCount, 4);
    EXPECT_EQ(add.row->opcode, Opcode::Iadd3);
    EXPECT_EQ(add.operands()[0].number, 19);
    EXPECT_EQ(add.operands()[1].number, 15);
    EXPECT_TRUE(add.operands()[2].negated);
    EXPECT_EQ(add.operands()[3].number, kZeroRegister);
    const DecodedInstruction compare = decoded(instructionOf(
        "@!P0", "FSETP.GEU.AND", "P1, PT, |R11|, RZ, !P2", 0x00000007ff007c0c, 0x000fc8000bf06270));
    EXPECT_EQ(compare.guard, (Guard{.predicate = 0, .isInverted = true}));
    EXPECT_TRUE(compare.modifiers.has(Modifier::Geu));
    EXPECT_EQ(compare.operands()[0].kind, OperandKind::Predicate);
    EXPECT_TRUE(compare.operands()[2].absolute);
    EXPECT_TRUE(compare.operands()[4].inverted);
}

TEST(Decode, TakesFloatImmediatesFromTheEncoding) {
    const DecodedInstruction multiply = decoded(
        instructionOf("", "FMUL", "R0, R0, 0.3333333432674407959", 0x3eaaaaab00007820, 0x000fe20000400000));
    EXPECT_EQ(multiply.operands()[2].value, 0x3eaaaaabu);
    const DecodedInstruction add = decoded(instructionOf("", "DADD", "R4, R8, -6.75539944105574400000e+15",
                                                         0xc338000008047429, 0x000fe20000000000));
    EXPECT_EQ(add.operands()[2].value, 0xc338000000000000u) << "the upper half of a double, sign included";
    EXPECT_FALSE(add.operands()[2].negated);
    const DecodedInstruction halves = decoded(instructionOf(
        "", "HFMA2.MMA", "R6, -RZ, RZ, 0, 3.0517578125e-05", 0x00000200ff067435, 0x000fe200000001ff));
    EXPECT_EQ(halves.operands()[4].value, 0x200u);
    EXPECT_EQ(halves.row->name, "HFMA2.MMA");
    const DecodedInstruction one =
        decoded(instructionOf("", "HADD2", "R8, |R4|.H0_H0, -R5.reuse.H1_H1", 0x1, 0x1));
    EXPECT_EQ(one.operands()[1].halves, Halves::Lower);
    EXPECT_TRUE(one.operands()[1].absolute);
    EXPECT_EQ(one.operands()[2].halves, Halves::Upper);
    EXPECT_TRUE(one.operands()[2].negated);
}

TEST(Decode, ReadsAddressesConstantsAndTargets) {
    const DecodedInstruction load =
        decoded(instructionOf("", "LDG.E.128", "R4, desc[UR6][R2.64+-0x100]", 0x7981, 0x000ea8000c1e1d00));
    EXPECT_EQ(load.operands()[1].kind, OperandKind::Address);
    EXPECT_EQ(load.operands()[1].base, 2);
    EXPECT_TRUE(load.operands()[1].isWide);
    EXPECT_EQ(s64(load.operands()[1].value), -0x100);
    const DecodedInstruction shared =
        decoded(instructionOf("", "LDS", "R4, [R9+UR4+0x40]", 0x7984, 0x000ea80008000800));
    EXPECT_EQ(shared.operands()[1].uniformBase, 4);
    EXPECT_EQ(shared.operands()[1].value, 0x40u);
    const DecodedInstruction constant =
        decoded(instructionOf("", "LDC.64", "R2, c[0x0][0x210]", 0x00008400ff027b82, 0x000ee20000000a00));
    EXPECT_EQ(constant.operands()[1].kind, OperandKind::Constant);
    EXPECT_EQ(constant.operands()[1].value, 0x210u);
    const DecodedInstruction branch =
        decoded(instructionOf("@P0", "BRA", "0x480", 0x7947, 0x000fea0003800000));
    EXPECT_EQ(branch.operands()[0].kind, OperandKind::Target);
    EXPECT_EQ(branch.operands()[0].value, 0x480u);
    const DecodedInstruction back =
        decoded(instructionOf("", "RET.REL.NODEC", "R6 0x0", 0x7950, 0x000fea0003c3ffff));
    ASSERT_EQ(back.operandCount, 2) << "a blank ends an operand";
    EXPECT_EQ(back.operands()[1].kind, OperandKind::Target);
}

TEST(Decode, NamesWhatItDoesNotKnow) {
    const auto sentence = [](const Instruction& instruction) {
        const Expected<DecodedInstruction> result = decode(instruction);
        return result ? std::string("known") : describe(result.error());
    };
    EXPECT_EQ(sentence(instructionOf("", "FROBNICATE.E", "R0, R1", 1, 1)),
              "the machine instruction FROBNICATE.E R0, R1 at 0x0 is not known: FROBNICATE.E");
    EXPECT_EQ(sentence(instructionOf("", "LDG.ODD", "R0, [R1]", 1, 1)),
              "the machine instruction LDG.ODD R0, [R1] at 0x0 is not known: ODD");
    EXPECT_EQ(sentence(instructionOf("", "MOV", "R0, X9", 1, 1)),
              "the machine instruction MOV R0, X9 at 0x0 is not known: X9");
    EXPECT_EQ(sentence(instructionOf("", "NOP", "", 0, 0)),
              "this listing of machine code has no encodings: nvdisasm prints them with -hex");
}

TEST(Decode, ReadsEncodingsOfAListing) {
    const Expected<MachineCode> code = parseListing(
        "\t.section\t.text.f,\"ax\",@progbits\n"
        "        /*0000*/                   LDC R1, c[0x0][0x28] ;   /* 0x00000a00ff017b82 */\n"
        "                                                            /* 0x000fe20000000800 */\n"
        "        /*0010*/                   EXIT ;                   /* 0x000000000000794d */\n"
        "                                                            /* 0x000fea0003800000 */\n");
    ASSERT_TRUE(code) << describe(code.error());
    const Instruction& first = code->functions[0].instructions[0];
    EXPECT_EQ(first.operands, "R1, c[0x0][0x28]");
    EXPECT_EQ(first.encoding, (std::array<u64, 2>{0x00000a00ff017b82, 0x000fe20000000800}));
    const Expected<DecodedFunction> function = decode(code->functions[0]);
    ASSERT_TRUE(function) << describe(function.error());
    EXPECT_EQ(function->instructions[1].control.stallCycles, 5);
}

TEST(ListingText, IsReadBackAsItWas) {
    for (const char* file : {"row", "encodings"}) {
        std::ifstream stream(std::string(LOCKSTEP_SOURCE_DIR "/tests/fuzz/listing/") + file);
        std::ostringstream text;
        text << stream.rdbuf();
        const Expected<MachineCode> code = parseListing(text.str());
        ASSERT_TRUE(code) << describe(code.error());
        const Expected<MachineCode> again = parseListing(listingText(*code));
        ASSERT_TRUE(again) << describe(again.error());
        EXPECT_EQ(again->computeCapability, 90u);
        ASSERT_EQ(again->functions.size(), code->functions.size());
        for (std::size_t f = 0; f < code->functions.size(); ++f) {
            const Function &was = code->functions[f], &is = again->functions[f];
            EXPECT_EQ(is.name, was.name);
            EXPECT_EQ(is.registers, was.registers);
            ASSERT_EQ(is.instructions.size(), was.instructions.size());
            for (std::size_t i = 0; i < was.instructions.size(); ++i) {
                const Instruction &a = was.instructions[i], &b = is.instructions[i];
                EXPECT_EQ(b.offsetBytes, a.offsetBytes);
                EXPECT_EQ(b.guard, a.guard);
                EXPECT_EQ(b.opcode, a.opcode);
                EXPECT_EQ(b.operands, a.operands);
                EXPECT_EQ(b.pc, a.pc) << a.offsetBytes;
                EXPECT_EQ(b.encoding, a.encoding);
            }
        }
    }
}

TEST(Opcodes, HaveOneRowEachAndAClass) {
    std::set<std::string_view> names;
    for (const OpcodeRow& row : opcodes()) {
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
        EXPECT_FALSE(row.does.empty()) << row.name;
        EXPECT_EQ(findOpcode(row.name), &row);
        EXPECT_EQ(info(row.timing).of, row.timing);
    }
    EXPECT_EQ(findOpcode("IMAD.WIDE.U32.X")->name, "IMAD.WIDE");
    EXPECT_EQ(findOpcode("IMAD.MOV.U32")->name, "IMAD");
    EXPECT_EQ(findOpcode("IMADX"), nullptr);
}

}  // namespace
}  // namespace lockstep::sass
