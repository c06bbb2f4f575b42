#include "sass/listing_text.h"

#include "sass/pc_lines.h"

#include <charconv>

namespace lockstep::sass {
namespace {

std::string hexadecimal(u64 value) {
    char digits[16];
    const auto end = std::to_chars(digits, digits + sizeof digits, value, 16);
    return {digits, end.ptr};
}

}  // namespace

std::string listingText(const MachineCode& code) {
    std::string text = ".target sm_" + std::to_string(code.computeCapability) + "\n";
    for (const Function& function : code.functions) {
        if (function.registers)
            text += "ptxas info : Compiling entry function '" + function.name + "'\nptxas info : Used " +
                    std::to_string(*function.registers) + " registers\n";
        text += ".section .text." + function.name + ",\n";
        Pc pc = kNoPc;
        for (const Instruction& instruction : function.instructions) {
            if (instruction.pc != pc) {
                pc = instruction.pc;
                text += "//## File \"" + (pc == kNoPc ? std::string() : std::string(kPcFile)) + "\", line " +
                        std::to_string(pc == kNoPc ? 0 : pc.value + 1) + "\n";
            }
            text += "/*" + hexadecimal(instruction.offsetBytes) + "*/ ";
            if (!instruction.guard.empty()) text += instruction.guard + " ";
            text += instruction.opcode + " " + instruction.operands + "; /* 0x" +
                    hexadecimal(instruction.encoding[0]) + " */\n/* 0x" +
                    hexadecimal(instruction.encoding[1]) + " */\n";
        }
    }
    for (const ConstantBank& bank : code.constants) {
        text += ".section .nv.constant" + std::to_string(bank.number) + ",\n";
        auto address = bank.addresses.begin();
        for (std::size_t at = 0; at < bank.bytes.size();) {
            text += "/*" + hexadecimal(at) + "*/ ";
            if (address != bank.addresses.end() && address->offsetBytes == at) {
                text += ".dword " + address++->variable + "\n";
                at += sizeof(u64);
                continue;
            }
            text += ".byte 0x" + hexadecimal(u64(bank.bytes[at++])) + "\n";
        }
    }
    return text;
}

}  // namespace lockstep::sass
