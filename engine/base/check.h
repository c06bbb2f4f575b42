// CHECK(condition, "why it must hold"), CHECK_EQ(a, b, "why"), ..._NE, _LT, _LE, _GT, _GE, which print both
// values: our own mistakes abort here; the user's mistakes are Faults (fault.h).
#pragma once

#include <concepts>
#include <type_traits>

namespace lockstep {

// A number as it is printed; of indices (indices.h) their value.
class CheckedValue {
public:
    template <class T> explicit CheckedValue(const T& value) {
        if constexpr (requires { value.value; })
            *this = CheckedValue(value.value);
        else if constexpr (std::is_enum_v<T>)
            *this = CheckedValue(std::underlying_type_t<T>(value));
        else if constexpr (std::floating_point<T>)
            kind_ = Kind::Real, real_ = double(value);
        else if constexpr (std::signed_integral<T>)
            kind_ = Kind::Signed, signed_ = value;
        else
            kind_ = Kind::Unsigned, unsigned_ = value;
    }
    // Into a text of at least 32 bytes.
    void print(char* text) const;

private:
    enum class Kind { Signed, Unsigned, Real } kind_ = Kind::Signed;
    union {
        long long signed_ = 0;
        unsigned long long unsigned_;
        double real_;
    };
};

[[noreturn]] void checkFailed(const char* condition, const char* why, const char* file, int line);
[[noreturn]] void comparisonFailed(const char* condition, CheckedValue a, CheckedValue b, const char* why,
                                   const char* file, int line);

}  // namespace lockstep

#define CHECK(condition, why)                                             \
    do {                                                                  \
        if (!(condition)) [[unlikely]]                                    \
            ::lockstep::checkFailed(#condition, why, __FILE__, __LINE__); \
    } while (false)

#define CHECK_COMPARISON(a, op, b, why)                                                                \
    do {                                                                                               \
        const auto& checkedA = (a);                                                                    \
        const auto& checkedB = (b);                                                                    \
        if (!(checkedA op checkedB)) [[unlikely]]                                                      \
            ::lockstep::comparisonFailed(#a " " #op " " #b, ::lockstep::CheckedValue(checkedA),        \
                                         ::lockstep::CheckedValue(checkedB), why, __FILE__, __LINE__); \
    } while (false)
#define CHECK_EQ(a, b, why) CHECK_COMPARISON(a, ==, b, why)
#define CHECK_NE(a, b, why) CHECK_COMPARISON(a, !=, b, why)
#define CHECK_LT(a, b, why) CHECK_COMPARISON(a, <, b, why)
#define CHECK_LE(a, b, why) CHECK_COMPARISON(a, <=, b, why)
#define CHECK_GT(a, b, why) CHECK_COMPARISON(a, >, b, why)
#define CHECK_GE(a, b, why) CHECK_COMPARISON(a, >=, b, why)
