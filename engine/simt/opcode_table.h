// All lane-wise and warp-wide forms of the emulator, gathered from the *_opcodes.cpp files. Memory, control and barrier
// instructions are the machine's own (machine.h); their forms are listed in machine_opcodes.cpp.
#pragma once

#include <span>

#include "simt/opcode.h"

namespace lockstep::simt {

std::span<const OpcodeRow> integerOpcodes();
std::span<const OpcodeRow> logicOpcodes();       // and or xor not lop3 shl shr shf prmt bfe bfi brev popc clz bfind selp mov set...
std::span<const OpcodeRow> comparisonOpcodes();  // setp, set, slct, selp
std::span<const OpcodeRow> floatOpcodes();       // f32 and f64 arithmetic
std::span<const OpcodeRow> approximateOpcodes(); // ex2 lg2 sin cos tanh rcp rsqrt sqrt div .approx
std::span<const OpcodeRow> conversionOpcodes();  // cvt
std::span<const OpcodeRow> packedOpcodes();      // f16, bf16, x2 forms, video instructions, dp4a, dp2a
std::span<const OpcodeRow> warpOpcodes();        // shfl vote match redux activemask: all lanes of `mask` take part

const OpcodeRow* findOpcode(std::string_view form);  // nullptr: not supported

}  // namespace lockstep::simt
