#include "simt/opcodes/lane_helpers.h"

#include "base/lane_mask.h"
#include "simt/memory/address_space.h"

#include <cstring>

namespace lockstep::simt {
namespace {

template <class T> T* lanes(std::byte* frame, u32 at) { return reinterpret_cast<T*>(frame + at); }

template <class To, class From, class F> void each(const u32* at, std::byte* frame, u32 mask, F f) {
    To* to = lanes<To>(frame, at[0]);
    const From* from = lanes<From>(frame, at[1]);
    if (mask == LaneMask::all().bits) {
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            to[lane] = f(from[lane]);
        return;
    }
    for (Lane lane : LaneMask{mask})
        to[lane.value] = f(from[lane.value]);
}

void setPredicate(std::byte* frame, u32 at, u32 bits, u32 mask) {
    u32& predicate = *lanes<u32>(frame, at);
    predicate = (predicate & ~mask) | (bits & mask);
}

template <Region region> void isIn(const u32* at, std::byte* frame, u32 mask) {
    const u64* address = lanes<u64>(frame, at[1]);
    u32 bits = 0;
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        bits |= u32(regionOf(address[lane]) == region) << lane;
    setPredicate(frame, at[0], bits, mask);
}

constexpr u32 kRunBytes = 8 * kWarpSize;  // of 32 lanes' low words

// Byte `index` of a lane's register: 128-bit registers store low words and high words separately.
std::byte* byteOf(std::byte* frame, u32 at, u32 registerBytes, u32 lane, u32 index) {
    if (registerBytes <= 4) return frame + at + lane * 4 + index;
    return frame + at + index / 8 * kRunBytes + lane * 8 + index % 8;
}

}  // namespace

void narrowLanes(const u32* at, std::byte* frame, u32 mask) {
    each<u32, u64>(at, frame, mask, [](u64 v) { return u32(v); });
}
void widenLanes(const u32* at, std::byte* frame, u32 mask) {
    each<u64, u32>(at, frame, mask, [](u32 v) { return u64{v}; });
}
void widenSignedLanes(const u32* at, std::byte* frame, u32 mask) {
    each<u64, u32>(at, frame, mask, [](u32 v) { return u64(s64{s32(v)}); });
}
void copyLanes32(const u32* at, std::byte* frame, u32 mask) {
    each<u32, u32>(at, frame, mask, [](u32 v) { return v; });
}
void copyLanes64(const u32* at, std::byte* frame, u32 mask) {
    each<u64, u64>(at, frame, mask, [](u64 v) { return v; });
}
void copyLanes128(const u32* at, std::byte* frame, u32 mask) {
    copyLanes64(at, frame, mask);
    const u32 high[] = {at[0] + kRunBytes, at[1] + kRunBytes};
    copyLanes64(high, frame, mask);
}
void copyPredicate(const u32* at, std::byte* frame, u32 mask) {
    setPredicate(frame, at[0], *lanes<u32>(frame, at[1]), mask);
}
void notPredicate(const u32* at, std::byte* frame, u32 mask) {
    setPredicate(frame, at[0], ~*lanes<u32>(frame, at[1]), mask);
}

void extendSign(const u32* at, std::byte* frame, u32 mask) {
    const u32 unused = 32 - at[1];
    u32* value = lanes<u32>(frame, at[0]);
    for (Lane lane : LaneMask{mask})
        value[lane.value] = u32(s32(value[lane.value] << unused) >> unused);
}

void addAddress(const u32* at, std::byte* frame, u32 mask) {
    u64* to = lanes<u64>(frame, at[0]);
    const u64 *from = lanes<u64>(frame, at[1]), *offset = lanes<u64>(frame, at[2]);
    for (Lane lane : LaneMask{mask})
        to[lane.value] = from[lane.value] + offset[lane.value];
}

void isShared(const u32* at, std::byte* frame, u32 mask) { isIn<Region::Shared>(at, frame, mask); }
void isLocal(const u32* at, std::byte* frame, u32 mask) { isIn<Region::Local>(at, frame, mask); }
void isGlobal(const u32* at, std::byte* frame, u32 mask) { isIn<Region::Global>(at, frame, mask); }
void isParam(const u32* at, std::byte* frame, u32 mask) { isIn<Region::Param>(at, frame, mask); }

void packElement(const u32* at, std::byte* frame, u32 mask) {
    const u32 packed = at[0], element = at[1], index = at[2], bytes = at[3], packedBytes = at[4];
    for (Lane lane : LaneMask{mask})
        for (u32 i = 0; i < bytes; ++i)
            *byteOf(frame, packed, packedBytes, lane.value, index * bytes + i) =
                *byteOf(frame, element, bytes, lane.value, i);
}

void unpackElement(const u32* at, std::byte* frame, u32 mask) {
    const u32 packed = at[0], element = at[1], index = at[2], bytes = at[3], packedBytes = at[4];
    for (Lane lane : LaneMask{mask}) {
        if (bytes <= 4) *reinterpret_cast<u32*>(byteOf(frame, element, 4, lane.value, 0)) = 0;
        for (u32 i = 0; i < bytes; ++i)
            *byteOf(frame, element, bytes, lane.value, i) =
                *byteOf(frame, packed, packedBytes, lane.value, index * bytes + i);
    }
}

namespace {

// Words as wide as their register, with a stride in memory.
template <class T> void loadWords(std::byte* registers, const std::byte* memory, u32 stride, u32 mask) {
    for (Lane lane : LaneMask{mask})
        std::memcpy(registers + lane.value * sizeof(T), memory + lane.value * stride, sizeof(T));
}
template <class T> void storeWords(const std::byte* registers, std::byte* memory, u32 stride, u32 mask) {
    for (Lane lane : LaneMask{mask})
        std::memcpy(memory + lane.value * stride, registers + lane.value * sizeof(T), sizeof(T));
}

}  // namespace

void loadLaneBytes(const u32* at, std::byte* frame, u32 mask) {
    const u32 to = at[0], from = at[1], stride = at[2], bytes = at[3], registerBytes = at[4];
    const bool isSigned = at[5];
    if (bytes == 4 && registerBytes == 4) return loadWords<u32>(frame + to, frame + from, stride, mask);
    if (bytes == 8 && registerBytes == 8) return loadWords<u64>(frame + to, frame + from, stride, mask);
    for (Lane lane : LaneMask{mask}) {
        u64 value = 0;
        const u32 words = bytes > 8 ? 2 : 1;
        for (u32 word = 0; word < words; ++word) {
            std::memcpy(&value, frame + from + lane.value * stride + word * 8, bytes > 8 ? 8 : bytes);
            if (isSigned && bytes < 8) value = u64(s64(value << (64 - bytes * 8)) >> (64 - bytes * 8));
            if (registerBytes < 4) value &= (u64{1} << registerBytes * 8) - 1;
            std::memcpy(byteOf(frame, to, registerBytes, lane.value, word * 8), &value,
                        registerBytes <= 4 ? 4 : 8);
        }
    }
}

void storeLaneBytes(const u32* at, std::byte* frame, u32 mask) {
    const u32 from = at[0], to = at[1], stride = at[2], bytes = at[3], registerBytes = at[4];
    if (bytes == 4 && registerBytes == 4) return storeWords<u32>(frame + from, frame + to, stride, mask);
    if (bytes == 8 && registerBytes == 8) return storeWords<u64>(frame + from, frame + to, stride, mask);
    for (Lane lane : LaneMask{mask})
        for (u32 word = 0; word * 8 < bytes; ++word)
            std::memcpy(frame + to + lane.value * stride + word * 8,
                        byteOf(frame, from, registerBytes, lane.value, word * 8), bytes > 8 ? 8 : bytes);
}

}  // namespace lockstep::simt
