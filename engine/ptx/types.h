// PTX's types and state spaces.
#pragma once

#include "base/integers.h"

#include <string_view>

namespace lockstep::ptx {

enum class Type : u8 {
    None,
    Pred,
    B8,
    B16,
    B32,
    B64,
    B128,
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    F16,
    BF16,
    F32,
    F64,
    F16x2,
    BF16x2,
    U16x2,
    S16x2,
    F32x2,
    E4M3,
    E5M2,
    E4M3x2,
    E5M2x2,
    TF32,
};

enum class StateSpace : u8 { None, Generic, Register, Param, Const, Global, Local, Shared };

u32 bytesOf(Type type);  // 0 for None and Pred
bool isFloat(Type type);
bool isSigned(Type type);
std::string_view nameOf(Type type);         // "f32", without the dot; "" for None
std::string_view nameOf(StateSpace space);  // "global"; "generic" for Generic
Type findType(std::string_view name);       // None: not a type
Type widened(Type type);                    // of mul.wide: s32 -> s64; None where there is none
Type bitsType(u32 bytes);                   // b8, b16, b32, b64, b128; None for other sizes

}  // namespace lockstep::ptx
