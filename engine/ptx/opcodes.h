// The one table of PTX opcodes: what each opcode *is*. What it *does* is a row of the emulator's table under
// the same name.
#pragma once

#include "ptx/instruction.h"

#include <span>
#include <string_view>

namespace lockstep::ptx {

struct OpcodeRow {
    std::string_view name;  // base opcode, "mad"
    OpcodeClass opcodeClass;
    // How operands are typed, one item an operand as written: see opcodes.cpp for the small language.
    std::string_view operands;
    std::string_view summary;  // one line for help and hover: "d = a*b + c"
};

std::span<const OpcodeRow> opcodeTable();
const OpcodeRow* findOpcode(std::string_view name);

}  // namespace lockstep::ptx
