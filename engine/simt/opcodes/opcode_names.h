// Row names, built at compile time: form<"add.", kTypeName<u32>> is "add.u32".
#pragma once

#include "simt/opcodes/opcode.h"

#include <algorithm>
#include <array>

namespace lockstep::simt {

// A literal that can be a template argument.
template <std::size_t N> struct Text {
    char characters[N + 1]{};

    constexpr Text(const char (&literal)[N + 1]) { std::copy_n(literal, N + 1, characters); }
    static constexpr std::size_t size() { return N; }
};
template <std::size_t N> Text(const char (&)[N]) -> Text<N - 1>;

template <Text... parts> struct Joined {
    static constexpr auto characters = [] {
        std::array<char, (parts.size() + ... + 1)> all{};
        auto* end = all.data();
        ((end = std::copy_n(parts.characters, parts.size(), end)), ...);
        return all;
    }();
};

template <Text... parts>
inline constexpr std::string_view form{Joined<parts...>::characters.data(), (parts.size() + ... + 0)};

// PTX's name for a type. If two names fit (u32 is .u32 and .b32), the numeric one.
template <class T> inline constexpr auto kTypeName = Text{"?"};
template <> inline constexpr auto kTypeName<bool> = Text{"pred"};
template <> inline constexpr auto kTypeName<u8> = Text{"u8"};
template <> inline constexpr auto kTypeName<u16> = Text{"u16"};
template <> inline constexpr auto kTypeName<u32> = Text{"u32"};
template <> inline constexpr auto kTypeName<u64> = Text{"u64"};
template <> inline constexpr auto kTypeName<s8> = Text{"s8"};
template <> inline constexpr auto kTypeName<s16> = Text{"s16"};
template <> inline constexpr auto kTypeName<s32> = Text{"s32"};
template <> inline constexpr auto kTypeName<s64> = Text{"s64"};
template <> inline constexpr auto kTypeName<f16> = Text{"f16"};
template <> inline constexpr auto kTypeName<bf16> = Text{"bf16"};
template <> inline constexpr auto kTypeName<f32> = Text{"f32"};
template <> inline constexpr auto kTypeName<f64> = Text{"f64"};
template <> inline constexpr auto kTypeName<f16x2> = Text{"f16x2"};
template <> inline constexpr auto kTypeName<bf16x2> = Text{"bf16x2"};
template <> inline constexpr auto kTypeName<u16x2> = Text{"u16x2"};
template <> inline constexpr auto kTypeName<s16x2> = Text{"s16x2"};

// The untyped name of the same width: "b32".
template <class T>
inline constexpr auto kBitsName = [] {
    if constexpr (std::is_same_v<T, bool>)
        return Text{"pred"};
    else if constexpr (sizeof(T) == 2)
        return Text{"b16"};
    else if constexpr (sizeof(T) == 4)
        return Text{"b32"};
    else
        return Text{"b64"};
}();

// An optional modifier: kIf<Ftz, ".ftz">.
template <bool present, Text name>
inline constexpr auto kIf = [] {
    if constexpr (present)
        return name;
    else
        return Text{""};
}();

// Several arrays of rows as one.
template <std::size_t... N> constexpr auto concat(const std::array<OpcodeRow, N>&... arrays) {
    std::array<OpcodeRow, (N + ... + 0)> all{};
    auto end = all.begin();
    ((end = std::copy(arrays.begin(), arrays.end(), end)), ...);
    return all;
}

}  // namespace lockstep::simt
