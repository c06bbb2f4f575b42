// All lane-wise and warp-wide forms of the emulator, gathered from the *_opcodes.cpp files. Memory, control
// and barrier instructions are not among them; their forms are listed in supported_forms.cpp.
#pragma once

#include "simt/opcodes/opcode.h"

#include <span>

namespace lockstep::simt {

std::span<const OpcodeRow> integerOpcodes();
std::span<const OpcodeRow> logicOpcodes();       // and or xor not lop3 shl shr shf prmt bfe bfi brev popc clz
                                                 // bfind mov
std::span<const OpcodeRow> comparisonOpcodes();  // setp, selp, slct; also of 16-bit floats
std::span<const OpcodeRow> setOpcodes();
std::span<const OpcodeRow> floatOpcodes();        // f32 and f64 arithmetic
std::span<const OpcodeRow> approximateOpcodes();  // ex2 lg2 sin cos tanh rcp rsqrt sqrt div .approx
std::span<const OpcodeRow> conversionOpcodes();   // cvt from and to integers
std::span<const OpcodeRow> floatConversionOpcodes();
std::span<const OpcodeRow> packedFloatOpcodes();    // f16, bf16 and their pairs
std::span<const OpcodeRow> packedIntegerOpcodes();  // u16x2, s16x2, SIMD video instructions, dp4a, dp2a,
                                                    // cvt.pack
std::span<const OpcodeRow> warpOpcodes();  // shfl vote match redux activemask: all lanes of `mask` take part

std::span<const OpcodeRow> allOpcodes();

// nullptr: not supported. A setp with two destinations p|q of a non-packed type is found under its form plus
// "|q": "setp.lt.s32|q". The rows of shfl, match.all and elect always have both results, d and p.
const OpcodeRow* findOpcode(std::string_view form);

}  // namespace lockstep::simt
