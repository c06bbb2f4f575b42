#include "sass/machine_code.h"

#include "sass/listing_text.h"
#include "sass/memory_opcode.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace lockstep::sass {
namespace {

// A kernel that stores a row to shared memory and sums four neighbors of it: `ptxas -arch=sm_90 -lineinfo -v`
// of 13.0.88, then `nvdisasm -c -g` of 13.2.51, of a PTX text with the line table of pc_lines.h. Kept where
// the fuzzer starts from it.
std::string listing() {
    std::ifstream file(LOCKSTEP_SOURCE_DIR "/tests/fuzz/listing/row");
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

const Instruction* atOffset(const Function& function, u32 offsetBytes) {
    for (const Instruction& instruction : function.instructions)
        if (instruction.offsetBytes == offsetBytes) return &instruction;
    return nullptr;
}

TEST(MachineCode, IsReadFromAListing) {
    const Expected<MachineCode> code = parseListing(listing());
    ASSERT_TRUE(code) << describe(code.error());
    EXPECT_EQ(code->computeCapability, 90u);
    ASSERT_EQ(code->functions.size(), 1u);
    const Function& row = code->functions[0];
    EXPECT_EQ(row.name, "row");
    EXPECT_EQ(code->find("row"), &row);
    EXPECT_EQ(code->find("column"), nullptr);
    EXPECT_EQ(row.registers, 14u);
    ASSERT_EQ(row.instructions.size(), 21u) << "what fills it up after the last EXIT is left out";

    const Instruction* exit = atOffset(row, 0x40);
    ASSERT_TRUE(exit);
    EXPECT_EQ(exit->guard, "@P0");
    EXPECT_EQ(exit->opcode, "EXIT");
    EXPECT_EQ(exit->operands, "");
    EXPECT_EQ(exit->pc, Pc{4});
    const Instruction* load = atOffset(row, 0xe0);
    ASSERT_TRUE(load);
    EXPECT_EQ(load->guard, "");
    EXPECT_EQ(load->opcode, "LDS.128") << "four loads of the PTX";
    EXPECT_EQ(load->operands, "R8, [UR4]");
    EXPECT_EQ(load->pc, Pc{11});
    EXPECT_EQ(row.instructions.back().opcode, "EXIT");
}

TEST(MachineCode, NamesOffsetsInPlaceOfLabels) {
    const Expected<MachineCode> code = parseListing(
        "\t.section\t.text.f,\"ax\",@progbits\n.L_x_0:\n  /*0000*/ NOP ;\n  /*0010*/ @!P0 BRA `(.L_x_1) ;\n"
        "  /*0020*/ BRA `(.L_x_0) ;\n.L_x_1:\n  /*0030*/ CALL.REL.NOINC `($f$g) ;\n  /*0040*/ EXIT ;\n");
    ASSERT_TRUE(code) << describe(code.error());
    const std::vector<Instruction>& f = code->functions[0].instructions;
    ASSERT_EQ(f.size(), 5u);
    EXPECT_EQ(f[1].operands, "0x30");
    EXPECT_EQ(f[2].operands, "0x0");
    EXPECT_EQ(f[3].operands, "`($f$g)") << "of another function: as it stands";
    EXPECT_EQ(f[3].pc, kNoPc) << "no line table, no pc";
}

// As nvdisasm 13.2 prints the constants of a module, and the addresses of its variables.
TEST(MachineCode, HasTheConstantsOfItsModule) {
    const char* const text =
        "\t.section\t.nv.constant3,\"a\",@progbits\n\t.align\t8\n.nv.constant3:\n\t.type\t\ttag,@object\n"
        "tag:\n\t.zero\t\t1\n.L_0:\n\t.zero\t\t7\n\t.type\t\tweights,@object\nweights:\n"
        "        /*0008*/ \t.byte\t0xcd, 0xcc, 0xcc, 0x3d, 0x01\n\t.zero\t\t3\n"
        "\t.section\t.nv.constant4,\"a\",@progbits\n.nv.constant4:\n        /*0000*/ \t.dword\tcounter\n"
        "\t.align\t\t8\n        /*0008*/ \t.dword\ttable\n"
        "\t.section\t.nv.constant0.f,\"a\",@progbits\n\t.zero\t\t536\n"
        "\t.section\t.text.f,\"ax\",@progbits\n  /*0000*/ EXIT ;\n";
    const Expected<MachineCode> code = parseListing(text);
    ASSERT_TRUE(code) << describe(code.error());
    const auto check = [](const MachineCode& read) {
        ASSERT_EQ(read.constants.size(), 2u) << "bank 0 is of launches";
        const ConstantBank &own = read.constants[0], &addresses = read.constants[1];
        EXPECT_EQ(own.number, 3u);
        ASSERT_EQ(own.bytes.size(), 16u);
        EXPECT_EQ(own.bytes[0], std::byte{0});
        EXPECT_EQ(own.bytes[8], std::byte{0xcd});
        EXPECT_EQ(own.bytes[12], std::byte{1});
        EXPECT_EQ(addresses.number, 4u);
        ASSERT_EQ(addresses.addresses.size(), 2u);
        EXPECT_EQ(addresses.addresses[0].variable, "counter");
        EXPECT_EQ(addresses.addresses[1].variable, "table");
        EXPECT_EQ(addresses.addresses[1].offsetBytes, 8u);
        EXPECT_EQ(addresses.bytes.size(), 16u);
    };
    check(*code);
    const Expected<MachineCode> again = parseListing(listingText(*code));
    ASSERT_TRUE(again) << describe(again.error());
    check(*again);
}

TEST(MachineCode, OfATextWithoutInstructionsIsAFault) {
    for (const char* text : {"", "\n", "hello", "\t.section\t.text.f,\"ax\",@progbits\n", "/*0000*/ NOP ;",
                             "/*", "//##", "/**/;", "\t.section\t.text.f,\"ax\"\n/*xyz*/ NOP ;"}) {
        const Expected<MachineCode> code = parseListing(text);
        ASSERT_FALSE(code) << text;
        EXPECT_EQ(code.error().kind, FaultKind::Damaged) << text;
    }
}

TEST(MemoryOpcode, SaysWhatIsTouchedAndHowWide) {
    struct Case {
        const char* opcode;
        Memory memory;
        Operation operation;
        u32 widthBytes;
    };
    constexpr Case cases[] = {
        {"LDS", Memory::Shared, Operation::Load, 4},
        {"LDS.64", Memory::Shared, Operation::Load, 8},
        {"LDS.128", Memory::Shared, Operation::Load, 16},
        {"LDS.U8", Memory::Shared, Operation::Load, 1},
        {"STS.U16", Memory::Shared, Operation::Store, 2},
        {"STS.128", Memory::Shared, Operation::Store, 16},
        {"LDG.E.128.CONSTANT", Memory::Global, Operation::Load, 16},
        {"STG.E", Memory::Global, Operation::Store, 4},
        {"ATOMS.POPC.INC.32", Memory::Shared, Operation::Atomic, 4},
        {"LD.E", Memory::Generic, Operation::Load, 4},
    };
    for (const Case& c : cases) {
        const auto found = memoryOpcode(c.opcode);
        ASSERT_TRUE(found) << c.opcode;
        EXPECT_EQ(found->memory, c.memory) << c.opcode;
        EXPECT_EQ(found->operation, c.operation) << c.opcode;
        EXPECT_EQ(found->widthBytes, c.widthBytes) << c.opcode;
    }
    for (const char* opcode : {"FADD", "LDGDEPBAR", "", ".", "BRA", "MOV.64"})
        EXPECT_FALSE(memoryOpcode(opcode)) << opcode;
}

}  // namespace
}  // namespace lockstep::sass
