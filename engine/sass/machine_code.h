// A Module's machine code, as listed by nvdisasm: the instructions that a device of one compute capability
// runs, each with the PTX instruction it came from.
#pragma once

#include "base/expected.h"
#include "base/indices.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::sass {

inline constexpr u32 kInstructionBytes = 16;  // since cc 7.0: CUDA Binary Utilities

struct Instruction {
    u32 offsetBytes = 0;   // from the function's start
    std::string guard;     // "@!P0"; empty: none
    std::string opcode;    // with modifiers: "LDS.128"
    std::string operands;  // "R12, [R4+0x10]"; a branch to its own function names the offset: "0x480"
    Pc pc = kNoPc;         // the PTX instruction it came from; of merged ones, one of them
    std::array<u64, 2> encoding{};  // as `nvdisasm -hex` prints it; zeros where the listing has none
};

struct Function {
    std::string name;  // as in the PTX
    std::vector<Instruction> instructions;
    std::optional<u32> registers;  // of one thread, where ptxas reported them
};

// A bank of constants that belongs to the module: 3 holds its __constant__ variables as they are at first, 4
// the addresses of its variables in global memory (nvdisasm's sections .nv.constant3 and .nv.constant4).
struct ConstantBank {
    u32 number = 0;
    std::vector<std::byte> bytes;
    struct Address {  // of 8 bytes, which the launch knows
        u32 offsetBytes = 0;
        std::string variable;
    };
    std::vector<Address> addresses;
};

struct MachineCode {
    std::string compiler;             // "ptxas 13.0.88"
    u32 computeCapability = 0;        // 90: sm_90
    std::vector<Function> functions;  // in the order of the listing
    std::vector<ConstantBank> constants{};

    const Function* find(std::string_view name) const;
};

// `listing`: what `ptxas -v` reports, followed by what `nvdisasm -g -hex` prints; the text that was
// assembled had the line table of withPcLines() (pc_lines.h), any other gives instructions without a pc.
// Fault: a text without an instruction.
Expected<MachineCode> parseListing(std::string_view listing);

}  // namespace lockstep::sass
