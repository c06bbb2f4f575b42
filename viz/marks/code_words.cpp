// The words of CUDA C++, in one table. What is called (intrinsics and atomics too) is known by its
// parenthesis.
#include "viz/marks/code_tokens.h"

#include <algorithm>
#include <array>

namespace lockstep::viz {
namespace {

struct Word {
    std::string_view text;
    CodeKind kind = CodeKind::Keyword;
};

// In the order of their characters.
constexpr std::array kWords = std::to_array<Word>({
    {"__align__"},
    {"__cluster_dims__"},
    {"__constant__"},
    {"__device__"},
    {"__forceinline__"},
    {"__global__"},
    {"__grid_constant__"},
    {"__half", CodeKind::Type},
    {"__half2", CodeKind::Type},
    {"__host__"},
    {"__inline__"},
    {"__launch_bounds__"},
    {"__managed__"},
    {"__maxnreg__"},
    {"__noinline__"},
    {"__nv_bfloat16", CodeKind::Type},
    {"__nv_bfloat162", CodeKind::Type},
    {"__restrict__"},
    {"__shared__"},
    {"alignas"},
    {"alignof"},
    {"asm"},
    {"auto", CodeKind::Type},
    {"bool", CodeKind::Type},
    {"break"},
    {"case"},
    {"char", CodeKind::Type},
    {"class"},
    {"concept"},
    {"const"},
    {"const_cast"},
    {"constexpr"},
    {"continue"},
    {"decltype"},
    {"default"},
    {"delete"},
    {"dim3", CodeKind::Type},
    {"do"},
    {"double", CodeKind::Type},
    {"dynamic_cast"},
    {"else"},
    {"enum"},
    {"explicit"},
    {"extern"},
    {"false"},
    {"float", CodeKind::Type},
    {"for"},
    {"friend"},
    {"goto"},
    {"half", CodeKind::Type},
    {"half2", CodeKind::Type},
    {"if"},
    {"inline"},
    {"int", CodeKind::Type},
    {"int16_t", CodeKind::Type},
    {"int32_t", CodeKind::Type},
    {"int64_t", CodeKind::Type},
    {"int8_t", CodeKind::Type},
    {"intptr_t", CodeKind::Type},
    {"long", CodeKind::Type},
    {"mutable"},
    {"namespace"},
    {"new"},
    {"noexcept"},
    {"nullptr"},
    {"operator"},
    {"private"},
    {"protected"},
    {"ptrdiff_t", CodeKind::Type},
    {"public"},
    {"reinterpret_cast"},
    {"requires"},
    {"return"},
    {"short", CodeKind::Type},
    {"signed", CodeKind::Type},
    {"size_t", CodeKind::Type},
    {"sizeof"},
    {"static"},
    {"static_assert"},
    {"static_cast"},
    {"struct"},
    {"switch"},
    {"template"},
    {"this"},
    {"true"},
    {"typedef"},
    {"typename"},
    {"uint", CodeKind::Type},
    {"uint16_t", CodeKind::Type},
    {"uint32_t", CodeKind::Type},
    {"uint64_t", CodeKind::Type},
    {"uint8_t", CodeKind::Type},
    {"uintptr_t", CodeKind::Type},
    {"union"},
    {"unsigned", CodeKind::Type},
    {"using"},
    {"virtual"},
    {"void", CodeKind::Type},
    {"volatile"},
    {"wchar_t", CodeKind::Type},
    {"while"},
});
static_assert(std::ranges::is_sorted(kWords, {}, &Word::text));

// Vector types are named after what they hold, and how many of it: float4.
constexpr std::array<std::string_view, 12> kOfVectors{"char", "double",   "float",     "int",
                                                      "long", "longlong", "short",     "uchar",
                                                      "uint", "ulong",    "ulonglong", "ushort"};
static_assert(std::ranges::is_sorted(kOfVectors));

bool isVectorType(std::string_view word) {
    return !word.empty() && word.back() >= '1' && word.back() <= '4' &&
           std::ranges::binary_search(kOfVectors, word.substr(0, word.size() - 1));
}

}  // namespace

std::optional<CodeKind> reservedWord(std::string_view word) {
    const auto found = std::ranges::lower_bound(kWords, word, {}, &Word::text);
    if (found != kWords.end() && found->text == word) return found->kind;
    return isVectorType(word) ? std::optional(CodeKind::Type) : std::nullopt;
}

}  // namespace lockstep::viz
