// Reads and prints element values.
#include "explain/numbers.h"

#include "base/element_value.h"
#include "base/half.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace lockstep::explain {

namespace {

// "19.4k", with as many decimals as there is room for; empty where it is no such number or has no room.
std::string inThousands(f64 value, u32 maxCharacters) {
    constexpr std::array kUnits{std::pair{1e12, 'T'}, std::pair{1e9, 'G'}, std::pair{1e6, 'M'},
                                std::pair{1e3, 'k'}};
    const auto unit =
        std::ranges::find_if(kUnits, [&](const auto& u) { return std::fabs(value) >= u.first; });
    if (unit == kUnits.end() || std::fabs(value) >= 1e15) return {};
    for (int decimals = 3; decimals >= 0; --decimals) {
        std::string text = fmt::format("{:.{}f}", value / unit->first, decimals);
        if (decimals > 0) text.erase(text.find_last_not_of('0') + 1);
        if (text.ends_with('.')) text.pop_back();
        if (text.size() < maxCharacters) return text + unit->second;
    }
    return {};
}

}  // namespace

std::string numberText(f64 value, bool isFloat, u32 maxCharacters) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
    constexpr f64 kPointBelow = 1e5;  // a whole float is written with its ".0", unless it is that long anyway
    const bool isWhole = value == std::trunc(value) && std::fabs(value) < 1e15;
    if (maxCharacters >= kInSentence)
        return isWhole ? fmt::format("{:.{}f}", value, isFloat ? 1 : 0) : numberText(value, isFloat);
    std::string text = !isFloat || (isWhole && std::fabs(value) >= kPointBelow) ? fmt::format("{:.0f}", value)
                       : isWhole                                                ? fmt::format("{:.1f}", value)
                                 : fmt::format("{:.9g}", value);
    if (text.size() > maxCharacters && isFloat && isWhole) text = fmt::format("{:.0f}", value);
    if (text.size() > maxCharacters && (!isFloat || text.find('.') == std::string::npos ||
                                        std::fabs(value) >= std::pow(10.0, maxCharacters)))
        if (std::string brief = inThousands(value, maxCharacters); !brief.empty()) return brief;
    for (int digits = int(maxCharacters); text.size() > maxCharacters && digits > 0; --digits)
        text = fmt::format("{:.{}g}", value, digits);
    return text;
}

std::string elementText(std::span<const Buffer> buffers, std::string_view name, f64 value) {
    const auto buffer = std::ranges::find(buffers, name, &Buffer::name);
    return numberText(value, buffer != buffers.end() && isFloatElement(buffer->type), kInSentence);
}

std::string valueText(std::span<const std::byte> bytes, ptx::Type type, u32 maxCharacters) {
    using ptx::Type;
    const auto both = [&](Type half) {
        const std::size_t each = ptx::bytesOf(half);
        return valueText(bytes.subspan(0, each), half, maxCharacters) + ", " +
               valueText(bytes.subspan(each, each), half, maxCharacters);
    };
    switch (type) {
        case Type::F32x2: return both(Type::F32);
        case Type::F16x2: return both(Type::F16);
        case Type::BF16x2: return both(Type::BF16);
        case Type::BF16:
            return numberText(std::bit_cast<f32>(u32{readAs<u16>(bytes)} << 16), true, maxCharacters);
        case Type::F16: return numberText(halfToFloat(readAs<u16>(bytes)), true, maxCharacters);
        case Type::F32: return numberText(readAs<f32>(bytes), true, maxCharacters);
        case Type::F64: return numberText(readAs<f64>(bytes), true, maxCharacters);
        case Type::S8: return numberText(readAs<s8>(bytes), false, maxCharacters);
        case Type::S16: return numberText(readAs<s16>(bytes), false, maxCharacters);
        case Type::S32: return numberText(readAs<s32>(bytes), false, maxCharacters);
        case Type::S64: return numberText(f64(readAs<s64>(bytes)), false, maxCharacters);
        default:
            return numberText(f64(readAs<u64>(bytes.subspan(0, std::min<std::size_t>(bytes.size(), 8)))),
                              false, maxCharacters);
    }
}

ptx::Type ptxType(ElementType type) {
    using ptx::Type;
    constexpr std::array kTypes{Type::S8,  Type::U8,  Type::S16, Type::U16, Type::S32, Type::U32,
                                Type::S64, Type::U64, Type::F16, Type::F32, Type::F64};
    return kTypes[u32(type)];
}

bool isFloatElement(ElementType type) {
    return type == ElementType::F16 || type == ElementType::F32 || type == ElementType::F64;
}

}  // namespace lockstep::explain
