// Lane-wise helper functions that are not instructions: conversions between register widths, packing,
// function parameters, addresses. All have the signature of Execute; the meaning of `at` is given at each.
#pragma once

#include "simt/opcodes/opcode.h"

namespace lockstep::simt {

// {to, from}
void narrowLanes(const u32* at, std::byte* frame, u32 mask);       // 64 -> 32 bits
void widenLanes(const u32* at, std::byte* frame, u32 mask);        // 32 -> 64, zeros
void widenSignedLanes(const u32* at, std::byte* frame, u32 mask);  // 32 -> 64, sign
void copyPredicate(const u32* at, std::byte* frame, u32 mask);
void notPredicate(const u32* at, std::byte* frame, u32 mask);
void copyLanes32(const u32* at, std::byte* frame, u32 mask);
void copyLanes64(const u32* at, std::byte* frame, u32 mask);
void copyLanes128(const u32* at, std::byte* frame, u32 mask);
// {register, bits}: sign-extends the low bits to 32
void extendSign(const u32* at, std::byte* frame, u32 mask);
// {to, from, constant}: 64 bits
void addAddress(const u32* at, std::byte* frame, u32 mask);
// {predicate, address}: whether the address is in that space
void isShared(const u32* at, std::byte* frame, u32 mask);
void isLocal(const u32* at, std::byte* frame, u32 mask);
void isGlobal(const u32* at, std::byte* frame, u32 mask);
void isParam(const u32* at, std::byte* frame, u32 mask);

// One element of a packed register: {packed, element, index of the element, its bytes, bytes of the packed
// register}
void packElement(const u32* at, std::byte* frame, u32 mask);
void unpackElement(const u32* at, std::byte* frame, u32 mask);

// A parameter that a function received or passes: {register, place of lane 0, stride, bytes of the element,
// register's bytes, signed}
void loadLaneBytes(const u32* at, std::byte* frame, u32 mask);
void storeLaneBytes(const u32* at, std::byte* frame, u32 mask);

}  // namespace lockstep::simt
