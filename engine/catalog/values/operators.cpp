#include "catalog/values/operators.h"

#include <algorithm>
#include <limits>

namespace lockstep::catalog {
namespace {

using Result = std::optional<s64>;

Result add(s64 a, s64 b) {
    s64 r;
    return __builtin_add_overflow(a, b, &r) ? Result{} : r;
}
Result subtract(s64 a, s64 b) {
    s64 r;
    return __builtin_sub_overflow(a, b, &r) ? Result{} : r;
}
Result multiply(s64 a, s64 b) {
    s64 r;
    return __builtin_mul_overflow(a, b, &r) ? Result{} : r;
}
constexpr bool divides(s64 a, s64 b) { return b != 0 && !(a == std::numeric_limits<s64>::min() && b == -1); }
Result divide(s64 a, s64 b) { return divides(a, b) ? Result{a / b} : Result{}; }
Result modulo(s64 a, s64 b) { return divides(a, b) ? Result{a % b} : Result{}; }
Result ceilDiv(s64 a, s64 b) {
    if (!divides(a, b)) return {};
    const bool roundsUp = a % b != 0 && (a < 0) == (b < 0);
    return a / b + roundsUp;
}

template <auto operation> bool checkedLanes(std::span<s64> a, const s64* b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        const Result result = operation(a[i], b[i]);
        if (!result) return false;
        a[i] = *result;
    }
    return true;
}
template <class T, auto operation> void plainLanes(std::span<T> a, const T* b) {
#pragma omp simd
    for (std::size_t i = 0; i < a.size(); ++i)
        a[i] = T(operation(a[i], b[i]));
}

// The sign bit of `overflow` is set where the sum has another sign than both of its terms.
bool addLanes(std::span<s64> a, const s64* b) {
    u64 overflow = 0;
#pragma omp simd reduction(| : overflow)
    for (std::size_t i = 0; i < a.size(); ++i) {
        const u64 x = u64(a[i]), y = u64(b[i]), sum = x + y;
        overflow |= (x ^ sum) & (y ^ sum);
        a[i] = s64(sum);
    }
    return s64(overflow) >= 0;
}
bool subtractLanes(std::span<s64> a, const s64* b) {
    u64 overflow = 0;
#pragma omp simd reduction(| : overflow)
    for (std::size_t i = 0; i < a.size(); ++i) {
        const u64 x = u64(a[i]), y = u64(b[i]), difference = x - y;
        overflow |= (x ^ y) & (x ^ difference);
        a[i] = s64(difference);
    }
    return s64(overflow) >= 0;
}

bool areOf32Bits(std::span<const s64> a, const s64* b) {
    constexpr u64 kBias = u64{1} << 31;
    u64 high = 0;
#pragma omp simd reduction(| : high)
    for (std::size_t i = 0; i < a.size(); ++i)
        high |= ((u64(a[i]) + kBias) | (u64(b[i]) + kBias)) >> 32;
    return high == 0;
}
bool multiplyLanes(std::span<s64> a, const s64* b) {
    if (!areOf32Bits(a, b)) return checkedLanes<multiply>(a, b);
#pragma omp simd
    for (std::size_t i = 0; i < a.size(); ++i)
        a[i] = s64(s32(a[i])) * s32(b[i]);
    return true;
}
// The quotient of two numbers of 32 bits is exact in an f64 once its fraction is cut off.
template <auto operation, auto ofQuotient> bool divideLanes(std::span<s64> a, const s64* b) {
    if (!areOf32Bits(a, b)) return checkedLanes<operation>(a, b);
    if (std::find(b, b + a.size(), 0) != b + a.size()) return false;
#pragma omp simd
    for (std::size_t i = 0; i < a.size(); ++i) {
        const s32 x = s32(a[i]), y = s32(b[i]);
        a[i] = ofQuotient(s64(x), s64(y), s64(f64(x) / f64(y)));
    }
    return true;
}

// An operation that is the same for integers and reals, and never fails.
template <auto operation> constexpr Operator alike(std::string_view sign, bool isComparison, Growth growth) {
    return {sign,
            [](s64 a, s64 b) -> Result { return s64(operation(a, b)); },
            [](f64 a, f64 b) { return f64(operation(a, b)); },
            isComparison,
            growth,
            [](std::span<s64> a, const s64* b) { return plainLanes<s64, operation>(a, b), true; },
            plainLanes<f64, operation>};
}
constexpr auto kAdd = [](f64 a, f64 b) { return a + b; };
constexpr auto kSubtract = [](f64 a, f64 b) { return a - b; };
constexpr auto kMultiply = [](f64 a, f64 b) { return a * b; };
constexpr auto kDivide = [](f64 a, f64 b) { return a / b; };

constexpr std::array kFunctions{
    Operator{"ceil_div", ceilDiv, nullptr, false, Growth::Monotone, checkedLanes<ceilDiv>},
    alike<[](auto a, auto b) { return std::min(a, b); }>("min", false, Growth::Monotone),
    alike<[](auto a, auto b) { return std::max(a, b); }>("max", false, Growth::Monotone),
};
constexpr std::array kEqualities{
    alike<[](auto a, auto b) { return a == b; }>("==", true, Growth::Any),
    alike<[](auto a, auto b) { return a != b; }>("!=", true, Growth::Any),
};
constexpr std::array kRelations{
    alike<[](auto a, auto b) { return a <= b; }>("<=", true, Growth::Monotone),
    alike<[](auto a, auto b) { return a >= b; }>(">=", true, Growth::Monotone),
    alike<[](auto a, auto b) { return a < b; }>("<", true, Growth::Monotone),
    alike<[](auto a, auto b) { return (a > b); }>(">", true, Growth::Monotone),
};
constexpr std::array kSums{
    Operator{"+", add, kAdd, false, Growth::Linear, addLanes, plainLanes<f64, kAdd>},
    Operator{"-", subtract, kSubtract, false, Growth::Linear, subtractLanes, plainLanes<f64, kSubtract>},
};
constexpr std::array kProducts{
    Operator{"*", multiply, kMultiply, false, Growth::Scaled, multiplyLanes, plainLanes<f64, kMultiply>},
    Operator{"/", divide, kDivide, false, Growth::Monotone,
             divideLanes<divide, [](s64, s64, s64 quotient) { return quotient; }>, plainLanes<f64, kDivide>},
    Operator{"%", modulo, nullptr, false, Growth::Periodic,
             divideLanes<modulo, [](s64 a, s64 b, s64 quotient) { return a - quotient * b; }>},
};
constexpr std::array<std::span<const Operator>, 4> kLevels{kEqualities, kRelations, kSums, kProducts};

}  // namespace

std::span<const Operator> functions() { return kFunctions; }
const std::array<std::span<const Operator>, 4>& operatorLevels() { return kLevels; }
const Operator& minusOperator() { return kSums[1]; }

}  // namespace lockstep::catalog
