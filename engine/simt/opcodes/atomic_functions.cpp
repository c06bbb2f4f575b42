#include "simt/opcodes/atomic_functions.h"

#include "base/half.h"

#include <atomic>
#include <bit>
#include <cstring>

namespace lockstep::simt {
namespace {

using ptx::AtomicOp;
using ptx::Type;

// PTX integers wrap; min and max compare by type.
template <class T> T add(T old, T a, T) { return T(old + a); }
template <class T> T minimum(T old, T a, T) { return a < old ? a : old; }
template <class T> T maximum(T old, T a, T) { return a > old ? a : old; }
template <class T> T bitAnd(T old, T a, T) { return T(old & a); }
template <class T> T bitOr(T old, T a, T) { return T(old | a); }
template <class T> T bitXor(T old, T a, T) { return T(old ^ a); }
template <class T> T exchange(T, T a, T) { return a; }
template <class T> T compareAndSwap(T old, T a, T b) { return old == a ? b : old; }
template <class T> T increment(T old, T a, T) { return old >= a ? 0 : old + 1; }
template <class T> T decrement(T old, T a, T) { return old == 0 || old > a ? a : old - 1; }

// A NaN produced by f32 arithmetic is 0x7fffffff on the GPU (measured, PTX.md). red and atom on f32 in global
// memory flush nothing.
u32 addFloat(u32 old, u32 a, u32) {
    const f32 sum = std::bit_cast<f32>(old) + std::bit_cast<f32>(a);
    return sum != sum ? 0x7fffffffu : std::bit_cast<u32>(sum);
}
u64 addDouble(u64 old, u64 a, u64) {
    const f64 sum = std::bit_cast<f64>(old) + std::bit_cast<f64>(a);
    return std::bit_cast<u64>(sum);
}

u16 addHalf(u16 a, u16 b) {
    return floatToHalf(halfToFloat(a) + halfToFloat(b));
}  // the f32 sum of two halves is exact

u16 addBrain(u16 a, u16 b) {
    const f64 sum = f64{std::bit_cast<f32>(u32{a} << 16)} + f64{std::bit_cast<f32>(u32{b} << 16)};
    if (sum != sum) return 0x7fff;
    const f32 nearest = f32(sum);
    u32 bits = std::bit_cast<u32>(nearest);
    if (f64{nearest} != sum && (bits & 0xffff) == 0x8000) {  // the first rounding created a false tie
        const bool towardsZero = (f64{nearest} > 0) == (f64{nearest} > sum);
        bits += towardsZero ? -1 : 1;
    }
    bits += 0x7fff + (bits >> 16 & 1);
    return u16(bits >> 16);
}
template <u16 (*F)(u16, u16)> u16 one(u16 old, u16 a, u16) { return F(old, a); }
template <u16 (*F)(u16, u16)> u32 two(u32 old, u32 a, u32) {
    return u32{F(u16(old), u16(a))} | u32{F(u16(old >> 16), u16(a >> 16))} << 16;
}

template <class T, T (*F)(T, T, T)> u64 apply(std::byte* at, u64 first, u64 second, bool concurrent) {
    using Bits = std::make_unsigned_t<T>;
    if (concurrent) {
        std::atomic_ref<T> word(*reinterpret_cast<T*>(at));
        T old = word.load(std::memory_order_relaxed);
        while (!word.compare_exchange_weak(old, F(old, T(first), T(second)), std::memory_order_relaxed)) {}
        return Bits(old);
    }
    T old;
    std::memcpy(&old, at, sizeof old);
    const T replaced = F(old, T(first), T(second));
    std::memcpy(at, &replaced, sizeof replaced);
    return Bits(old);
}

struct AtomicRow {
    AtomicOp operation;
    Type type;
    AtomicFunction function;
    bool commutes;
};

template <class T, T (*F)(T, T, T)> constexpr AtomicRow row(AtomicOp operation, Type type, bool commutes) {
    return {operation, type, &apply<T, F>, commutes};
}

constexpr AtomicRow kAtomics[] = {
    row<u32, add<u32>>(AtomicOp::Add, Type::U32, true),
    row<u32, add<u32>>(AtomicOp::Add, Type::S32, true),
    row<u32, add<u32>>(AtomicOp::Add, Type::B32, true),
    row<u64, add<u64>>(AtomicOp::Add, Type::U64, true),
    row<u64, add<u64>>(AtomicOp::Add, Type::S64, true),
    row<u64, add<u64>>(AtomicOp::Add, Type::B64, true),
    row<u32, addFloat>(AtomicOp::Add, Type::F32, false),
    row<u64, addDouble>(AtomicOp::Add, Type::F64, false),
    row<u16, one<addHalf>>(AtomicOp::Add, Type::F16, false),
    row<u16, one<addBrain>>(AtomicOp::Add, Type::BF16, false),
    row<u32, two<addHalf>>(AtomicOp::Add, Type::F16x2, false),
    row<u32, two<addBrain>>(AtomicOp::Add, Type::BF16x2, false),
    row<u32, minimum<u32>>(AtomicOp::Min, Type::U32, true),
    row<s32, minimum<s32>>(AtomicOp::Min, Type::S32, true),
    row<u64, minimum<u64>>(AtomicOp::Min, Type::U64, true),
    row<s64, minimum<s64>>(AtomicOp::Min, Type::S64, true),
    row<u32, maximum<u32>>(AtomicOp::Max, Type::U32, true),
    row<s32, maximum<s32>>(AtomicOp::Max, Type::S32, true),
    row<u64, maximum<u64>>(AtomicOp::Max, Type::U64, true),
    row<s64, maximum<s64>>(AtomicOp::Max, Type::S64, true),
    row<u32, bitAnd<u32>>(AtomicOp::And, Type::B32, true),
    row<u64, bitAnd<u64>>(AtomicOp::And, Type::B64, true),
    row<u32, bitOr<u32>>(AtomicOp::Or, Type::B32, true),
    row<u64, bitOr<u64>>(AtomicOp::Or, Type::B64, true),
    row<u32, bitXor<u32>>(AtomicOp::Xor, Type::B32, true),
    row<u64, bitXor<u64>>(AtomicOp::Xor, Type::B64, true),
    row<u32, exchange<u32>>(AtomicOp::Exch, Type::B32, false),
    row<u64, exchange<u64>>(AtomicOp::Exch, Type::B64, false),
    row<u16, compareAndSwap<u16>>(AtomicOp::Cas, Type::B16, false),
    row<u32, compareAndSwap<u32>>(AtomicOp::Cas, Type::B32, false),
    row<u64, compareAndSwap<u64>>(AtomicOp::Cas, Type::B64, false),
    row<u32, increment<u32>>(AtomicOp::Inc, Type::U32, false),
    row<u32, decrement<u32>>(AtomicOp::Dec, Type::U32, false),
};

// Logic, exchange and cas work on bits; some front ends write the numeric type.
Type asBits(AtomicOp operation, Type type) {
    switch (operation) {
        case AtomicOp::And:
        case AtomicOp::Or:
        case AtomicOp::Xor:
        case AtomicOp::Exch:
        case AtomicOp::Cas: break;
        default: return type;
    }
    switch (ptx::bytesOf(type)) {
        case 2: return Type::B16;
        case 4: return Type::B32;
        case 8: return Type::B64;
        default: return type;
    }
}

const AtomicRow* find(AtomicOp operation, Type type) {
    for (const AtomicRow& row : kAtomics)
        if (row.operation == operation && row.type == asBits(operation, type)) return &row;
    return nullptr;
}

}  // namespace

AtomicFunction findAtomic(AtomicOp operation, Type type) {
    const AtomicRow* row = find(operation, type);
    return row ? row->function : nullptr;
}

bool commutes(AtomicOp operation, Type type) {
    const AtomicRow* row = find(operation, type);
    return row && row->commutes;
}

}  // namespace lockstep::simt
