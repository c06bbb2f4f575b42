#include "simt/decode/math_functions.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstring>
#include <type_traits>
#include <utility>

namespace lockstep::simt {
namespace {

constexpr f64 kPi = 3.14159265358979323846;

template <class T> T fromBits(u64 bits) {
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}
template <class T> u64 toBits(T value) {
    u64 bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
}

template <auto function, class R, class... A, std::size_t... I>
u64 applied(R (*)(A...), const std::array<u64, 4>& arguments, std::index_sequence<I...>) {
    return toBits<R>(function(fromBits<A>(arguments[I])...));
}
// function: without captures, of numbers.
template <auto function> u64 apply(const std::array<u64, 4>& arguments) {
    constexpr auto pointer = +function;
    return [&]<class R, class... A>(R (*)(A...)) {
        return applied<pointer>(pointer, arguments, std::index_sequence_for<A...>());
    }(pointer);
}

f64 sinOfPi(f64 x) {
    const f64 rest = std::remainder(x, 2.0);  // exact
    return std::abs(rest) == 1 ? std::copysign(0.0, x) : std::sin(rest * kPi);
}
f64 cosOfPi(f64 x) {
    const f64 rest = std::abs(std::remainder(x, 2.0));
    return rest == 0.5 ? 0 : std::cos(rest * kPi);
}
f64 normalDistribution(f64 x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }
// Newton's method from a start that is near enough; erf is steep where it matters.
f64 inverseErrorFunction(f64 y) {
    if (std::abs(y) >= 1) return std::abs(y) == 1 ? std::copysign(INFINITY, y) : NAN;
    const f64 logarithm = std::log1p(-y * y), first = 2 / (kPi * 0.147) + logarithm / 2;
    f64 x = std::copysign(std::sqrt(std::sqrt(first * first - logarithm / 0.147) - first), y);
    for (u32 step = 0; step < 4; ++step)
        x -= (std::erf(x) - y) / (2 / std::sqrt(kPi) * std::exp(-x * x));
    return x;
}

// I0 is even, I1 odd: by their series, whose terms are all positive. They overflow beyond 714.
f64 modifiedBessel(s32 order, f64 x) {
    if (std::isnan(x)) return x;
    const f64 half = x / 2;
    if (std::abs(x) > 720) return order && x < 0 ? -INFINITY : INFINITY;
    f64 term = order ? half : 1, sum = term;
    for (s32 k = 1; k < 2000 && std::abs(term) > std::abs(sum) * 1e-18; ++k) {
        term *= half / k * (half / (k + order));
        sum += term;
    }
    return sum;
}
// The lowest bits of the quotient that std::remainder() is of, with its sign.
s32 quotientOf(f64 x, f64 y) {
    int quotient = 0;
    std::remquo(x, y, &quotient);
    return quotient;
}

// f64 and f32 of one function: computed in f64, whose rounding to f32 is almost always the nearest.
#define LOCKSTEP_REAL_1(name, expression)                             \
    {"__nv_" name, apply<[](f64 x) -> f64 { return expression; }>}, { \
        "__nv_" name "f", apply<[](f32 narrow) -> f32 {               \
            const f64 x = narrow;                                     \
            return f32(expression);                                   \
        }>                                                            \
    }
#define LOCKSTEP_REAL_2(name, expression)                                    \
    {"__nv_" name, apply<[](f64 x, f64 y) -> f64 { return expression; }>}, { \
        "__nv_" name "f", apply<[](f32 narrowX, f32 narrowY) -> f32 {        \
            const f64 x = narrowX, y = narrowY;                              \
            return f32(expression);                                          \
        }>                                                                   \
    }

const MathFunction kFunctions[] = {
    LOCKSTEP_REAL_1("sin", std::sin(x)),
    LOCKSTEP_REAL_1("cos", std::cos(x)),
    LOCKSTEP_REAL_1("tan", std::tan(x)),
    LOCKSTEP_REAL_1("sinpi", sinOfPi(x)),
    LOCKSTEP_REAL_1("cospi", cosOfPi(x)),
    LOCKSTEP_REAL_1("asin", std::asin(x)),
    LOCKSTEP_REAL_1("acos", std::acos(x)),
    LOCKSTEP_REAL_1("atan", std::atan(x)),
    LOCKSTEP_REAL_2("atan2", std::atan2(x, y)),
    LOCKSTEP_REAL_1("sinh", std::sinh(x)),
    LOCKSTEP_REAL_1("cosh", std::cosh(x)),
    LOCKSTEP_REAL_1("tanh", std::tanh(x)),
    LOCKSTEP_REAL_1("asinh", std::asinh(x)),
    LOCKSTEP_REAL_1("acosh", std::acosh(x)),
    LOCKSTEP_REAL_1("atanh", std::atanh(x)),
    LOCKSTEP_REAL_1("exp", std::exp(x)),
    LOCKSTEP_REAL_1("exp2", std::exp2(x)),
    LOCKSTEP_REAL_1("exp10", std::pow(10.0, x)),
    LOCKSTEP_REAL_1("expm1", std::expm1(x)),
    LOCKSTEP_REAL_1("log", std::log(x)),
    LOCKSTEP_REAL_1("log2", std::log2(x)),
    LOCKSTEP_REAL_1("log10", std::log10(x)),
    LOCKSTEP_REAL_1("log1p", std::log1p(x)),
    LOCKSTEP_REAL_1("logb", std::logb(x)),
    LOCKSTEP_REAL_2("pow", std::pow(x, y)),
    LOCKSTEP_REAL_1("cbrt", std::cbrt(x)),
    LOCKSTEP_REAL_1("rcbrt", 1 / std::cbrt(x)),
    LOCKSTEP_REAL_2("hypot", std::hypot(x, y)),
    LOCKSTEP_REAL_2("rhypot", 1 / std::hypot(x, y)),
    LOCKSTEP_REAL_1("erf", std::erf(x)),
    LOCKSTEP_REAL_1("erfc", std::erfc(x)),
    LOCKSTEP_REAL_1("erfcx", std::exp(x* x) * std::erfc(x)),
    LOCKSTEP_REAL_1("erfinv", inverseErrorFunction(x)),
    LOCKSTEP_REAL_1("erfcinv", inverseErrorFunction(1 - x)),
    LOCKSTEP_REAL_1("normcdf", normalDistribution(x)),
    LOCKSTEP_REAL_1("normcdfinv", std::sqrt(2.0) * inverseErrorFunction(2 * x - 1)),
    LOCKSTEP_REAL_1("tgamma", std::tgamma(x)),
    LOCKSTEP_REAL_1("lgamma", std::lgamma(x)),
    LOCKSTEP_REAL_2("fmod", std::fmod(x, y)),
    LOCKSTEP_REAL_2("remainder", std::remainder(x, y)),
    LOCKSTEP_REAL_2("fdim", std::fdim(x, y)),
    LOCKSTEP_REAL_1("round", std::round(x)),
    LOCKSTEP_REAL_1("j0", ::j0(x)),
    LOCKSTEP_REAL_1("j1", ::j1(x)),
    LOCKSTEP_REAL_1("cyl_bessel_i0", modifiedBessel(0, x)),
    LOCKSTEP_REAL_1("cyl_bessel_i1", modifiedBessel(1, x)),
    LOCKSTEP_REAL_1("y0", ::y0(x)),
    LOCKSTEP_REAL_1("y1", ::y1(x)),
    {"__nv_rsqrt", apply<[](f64 x) -> f64 { return 1 / std::sqrt(x); }>},
    {"__nv_nextafter", apply<[](f64 x, f64 y) -> f64 { return std::nextafter(x, y); }>},
    {"__nv_nextafterf", apply<[](f32 x, f32 y) -> f32 { return std::nextafter(x, y); }>},
    {"__nv_powi", apply<[](f64 x, s32 n) -> f64 { return std::pow(x, n); }>},
    {"__nv_powif", apply<[](f32 x, s32 n) -> f32 { return f32(std::pow(f64(x), n)); }>},
    {"__nv_ldexp", apply<[](f64 x, s32 n) -> f64 { return std::ldexp(x, n); }>},
    {"__nv_ldexpf", apply<[](f32 x, s32 n) -> f32 { return std::ldexp(x, n); }>},
    {"__nv_scalbn", apply<[](f64 x, s32 n) -> f64 { return std::scalbn(x, n); }>},
    {"__nv_scalbnf", apply<[](f32 x, s32 n) -> f32 { return std::scalbn(x, n); }>},
    {"__nv_ilogb", apply<[](f64 x) -> s32 { return std::ilogb(x); }>},
    {"__nv_ilogbf", apply<[](f32 x) -> s32 { return std::ilogb(x); }>},
    {"__nv_jn", apply<[](s32 n, f64 x) -> f64 { return ::jn(n, x); }>},
    {"__nv_jnf", apply<[](s32 n, f32 x) -> f32 { return f32(::jn(n, x)); }>},
    {"__nv_yn", apply<[](s32 n, f64 x) -> f64 { return ::yn(n, x); }>},
    {"__nv_ynf", apply<[](s32 n, f32 x) -> f32 { return f32(::yn(n, x)); }>},
    {"__nv_lockstep_quotient", apply<[](f64 x, f64 y) -> s32 { return quotientOf(x, y); }>},
    {"__nv_llround", apply<[](f64 x) -> s64 { return std::llround(x); }>},
    {"__nv_llroundf", apply<[](f32 x) -> s64 { return std::llround(x); }>},
    {"__nv_norm3d", apply<[](f64 x, f64 y, f64 z) -> f64 { return std::hypot(x, y, z); }>},
    {"__nv_norm3df", apply<[](f32 x, f32 y, f32 z) -> f32 { return std::hypot(x, y, z); }>},
    {"__nv_rnorm3d", apply<[](f64 x, f64 y, f64 z) -> f64 { return 1 / std::hypot(x, y, z); }>},
    {"__nv_rnorm3df", apply<[](f32 x, f32 y, f32 z) -> f32 { return 1 / std::hypot(x, y, z); }>},
};

#undef LOCKSTEP_REAL_1
#undef LOCKSTEP_REAL_2

}  // namespace

const MathFunction* findMathFunction(std::string_view name) {
    const auto* found = std::ranges::find(kFunctions, name, &MathFunction::name);
    return found != std::end(kFunctions) ? found : nullptr;
}

}  // namespace lockstep::simt
