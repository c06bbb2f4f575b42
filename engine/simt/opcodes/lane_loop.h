// Turns a pure function of one lane into an OpcodeRow: the signature determines the operands' storage, and
// the loop over 32 lanes is written here once, in a form that compilers vectorize.
#pragma once

#include "simt/opcodes/opcode.h"

#include <utility>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace lockstep::simt {

inline constexpr u32 kAllLanes = 0xffffffffu;

template <class T> using Word = std::conditional_t<sizeof(T) == 8, u64, u32>;
template <std::size_t bytes>
using Unsigned =
    std::conditional_t<bytes == 1, u8,
                       std::conditional_t<bytes == 2, u16, std::conditional_t<bytes == 4, u32, u64>>>;

template <class T> constexpr T fromWord(Word<T> word) { return std::bit_cast<T>(Unsigned<sizeof(T)>(word)); }
template <class T> constexpr Word<T> toWord(T value) { return std::bit_cast<Unsigned<sizeof(T)>>(value); }

// One source operand: 32 words, or a lane mask spread out beforehand (the destination may be the same
// predicate).
template <class T> struct Source {
    const Word<T>* words;
    explicit Source(const std::byte* at) : words(reinterpret_cast<const Word<T>*>(at)) {}
    T operator[](u32 lane) const { return fromWord<T>(words[lane]); }
};
template <> struct Source<bool> {
    u32 flags[32];
    explicit Source(const std::byte* at) {
        u32 mask;
        std::memcpy(&mask, at, sizeof mask);
        for (u32 lane = 0; lane < 32; ++lane)
            flags[lane] = mask >> lane & 1;
    }
    bool operator[](u32 lane) const { return flags[lane] != 0; }
};

// Bit n = flags[n] != 0, for flags that are 0 or all ones.
inline u32 maskOf(const u32 (&flags)[32]) {
    u32 mask = 0;
#if defined(__AVX2__)
    for (u32 lane = 0; lane < 32; lane += 8) {
        const __m256i eight = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(flags + lane));
        mask |= u32(_mm256_movemask_ps(_mm256_castsi256_ps(eight))) << lane;
    }
#else
    for (u32 lane = 0; lane < 32; ++lane)
        mask |= (flags[lane] & 1) << lane;
#endif
    return mask;
}

inline void blendMask(std::byte* at, u32 bits, u32 mask) {
    u32 old;
    std::memcpy(&old, at, sizeof old);
    const u32 merged = (old & ~mask) | (bits & mask);
    std::memcpy(at, &merged, sizeof merged);
}

// What a result type stores to the frame: a value, a predicate, or a value and a predicate.
template <class R> struct Result {
    using Value = R;
    static constexpr bool hasValue = !std::is_same_v<R, bool>, hasFlag = !hasValue;
    static constexpr std::array storage{storageOf<R>()};
    static constexpr R value(R result) { return result; }
    static constexpr bool flag(R result) { return bool(result); }
};
template <class T> struct Result<WithCarry<T>> {
    using Value = T;
    static constexpr bool hasValue = true, hasFlag = true;
    static constexpr std::array storage{storageOf<T>(), Storage::Predicate};
    static constexpr T value(WithCarry<T> result) { return result.value; }
    static constexpr bool flag(WithCarry<T> result) { return result.carry; }
};
template <class T> struct Result<WithPredicate<T>> {
    using Value = T;
    static constexpr bool hasValue = true, hasFlag = true;
    static constexpr std::array storage{storageOf<T>(), Storage::Predicate};
    static constexpr T value(WithPredicate<T> result) { return result.value; }
    static constexpr bool flag(WithPredicate<T> result) { return result.predicate; }
};

// Costly or branching functions: active lanes only, one after the other.
template <auto F, class R, class... A>
void activeLanes(const u32* at, std::byte* frame, u32 mask, const Source<A>&... sources) {
    using Out = Result<R>;
    using Value = typename Out::Value;
    u32 flags = 0, secondFlags = 0;
    for (u32 left = mask; left; left &= left - 1) {
        const u32 lane = u32(std::countr_zero(left));
        const R result = F(sources[lane]...);
        if constexpr (Out::hasFlag) flags |= u32(Out::flag(result)) << lane;
        if constexpr (std::is_same_v<Value, bool> && Out::hasValue)
            secondFlags |= u32(Out::value(result)) << lane;
        else if constexpr (Out::hasValue)
            reinterpret_cast<Word<Value>*>(frame + at[0])[lane] = toWord(Out::value(result));
    }
    if constexpr (std::is_same_v<Value, bool> && Out::hasValue) blendMask(frame + at[0], secondFlags, mask);
    if constexpr (Out::hasFlag) blendMask(frame + at[Out::hasValue ? 1 : 0], flags, mask);
}

// Simple functions: every lane is computed, which vectorizes, and those outside the mask are not stored. A
// destination either is a source's register or does not overlap it, so lanes are independent: `omp simd`
// asserts that, and vectorizes regardless of the cost model. Of a few active lanes, as in a block of one
// thread, only these.
inline constexpr int kFewLanes = 2;
template <auto F, class R, class... A>
void everyLane(const u32* at, std::byte* frame, u32 mask, const Source<A>&... sources) {
    using Out = Result<R>;
    using Value = typename Out::Value;
    if constexpr (!Out::hasValue) {
        u32 flags[32];
#pragma omp simd
        for (u32 lane = 0; lane < 32; ++lane)
            flags[lane] = 0 - u32(F(sources[lane]...));
        blendMask(frame + at[0], maskOf(flags), mask);
    } else if constexpr (Out::hasFlag) {
        u32 flags[32];
        auto* words = reinterpret_cast<Word<Value>*>(frame + at[0]);
#pragma omp simd
        for (u32 lane = 0; lane < 32; ++lane) {
            const R result = F(sources[lane]...);
            flags[lane] = 0 - u32(Out::flag(result));
            words[lane] = mask >> lane & 1 ? toWord(Out::value(result)) : words[lane];
        }
        blendMask(frame + at[1], maskOf(flags), mask);
    } else if (mask == kAllLanes) {
        auto* words = reinterpret_cast<Word<Value>*>(frame + at[0]);
#pragma omp simd
        for (u32 lane = 0; lane < 32; ++lane)
            words[lane] = toWord(F(sources[lane]...));
    } else if (std::popcount(mask) <= kFewLanes) {
        activeLanes<F, R, A...>(at, frame, mask, sources...);
    } else {
        auto* words = reinterpret_cast<Word<Value>*>(frame + at[0]);
#pragma omp simd
        for (u32 lane = 0; lane < 32; ++lane) {
            const auto word = toWord(F(sources[lane]...));
            words[lane] = mask >> lane & 1 ? word : words[lane];
        }
    }
}

enum class Lanes : u8 { Every, Active };

// State in effect while a loop runs: none, or a CPU rounding mode (directed_rounding.h).
struct AsUsual {};

template <auto F, Lanes lanes, class During, class Function> struct LaneLoop;
template <auto F, Lanes lanes, class During, class R, class... A>
struct LaneLoop<F, lanes, During, R (*)(A...)> {
    static constexpr std::size_t kResults = Result<R>::storage.size();

    template <std::size_t... I>
    static void run(const u32* at, std::byte* frame, u32 mask, std::index_sequence<I...>) {
        [[maybe_unused]] const During during;
        if constexpr (lanes == Lanes::Every)
            everyLane<F, R, A...>(at, frame, mask, Source<A>(frame + at[kResults + I])...);
        else
            activeLanes<F, R, A...>(at, frame, mask, Source<A>(frame + at[kResults + I])...);
    }
    static void execute(const u32* at, std::byte* frame, u32 mask) {
        run(at, frame, mask, std::index_sequence_for<A...>{});
    }

    static constexpr OpcodeRow row(std::string_view form) {
        OpcodeRow row{
            .form = form, .execute = &execute, .results = u8(kResults), .sources = u8(sizeof...(A))};
        u32 next = 0;
        for (Storage storage : Result<R>::storage)
            row.operands[next++] = storage;
        ((row.operands[next++] = storageOf<A>()), ...);
        return row;
    }
};

// The row of a pure function of one lane: opcode<add<u32>>("add.u32").
template <auto F> constexpr OpcodeRow opcode(std::string_view form) {
    return LaneLoop<F, Lanes::Every, AsUsual, decltype(F)>::row(form);
}

// The same for a function that is expensive or does not vectorize: only active lanes are computed.
template <auto F> constexpr OpcodeRow scalarOpcode(std::string_view form) {
    return LaneLoop<F, Lanes::Active, AsUsual, decltype(F)>::row(form);
}

// The same with `During` alive while the loop runs.
template <auto F, class During> constexpr OpcodeRow opcodeDuring(std::string_view form) {
    return LaneLoop<F, Lanes::Every, During, decltype(F)>::row(form);
}

}  // namespace lockstep::simt
