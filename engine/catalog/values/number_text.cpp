#include "catalog/values/number_text.h"

#include "base/half.h"
#include "base/text/typed_number.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

namespace lockstep::catalog {
namespace {

static_assert(std::endian::native == std::endian::little, "elements are stored as the GPU stores them");

// Sign and magnitude, so that all of i64 and u64 can be written.
struct Whole {
    bool negative;
    u64 magnitude;
};

std::optional<Whole> parseSigned(std::string_view text) {
    Whole whole{text.starts_with('-'), 0};
    if (whole.negative || text.starts_with('+')) text.remove_prefix(1);
    const int base = text.starts_with("0x") || text.starts_with("0X") ? 16 : 10;
    if (base == 16) text.remove_prefix(2);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), whole.magnitude, base);
    if (error != std::errc{} || end != text.data() + text.size()) return {};
    return whole;
}

constexpr u64 kSignBit = u64{1} << 63;

bool isSigned(ElementType type) {
    return type == ElementType::I8 || type == ElementType::I16 || type == ElementType::I32 ||
           type == ElementType::I64;
}

Expected<Bits64> wholeElement(Whole whole, ElementType type, std::string_view text) {
    const u32 bits = info(type).bytes * 8;
    const u64 highest = ~u64{0} >> (64 - bits + (isSigned(type) ? 1 : 0));
    const u64 lowest = isSigned(type) ? highest + 1 : 0;  // its magnitude
    if (whole.magnitude > (whole.negative ? lowest : highest))
        return fail(FaultKind::Usage,
                    Message(english("{0} does not fit in {1}, which goes from {2}{3} to {4}"), text,
                            info(type).name, lowest ? "-" : "", lowest, highest));
    return whole.negative ? ~whole.magnitude + 1 : whole.magnitude;
}

}  // namespace

std::optional<s64> parseWhole(std::string_view text) {
    const std::optional<Whole> whole = parseSigned(text);
    if (!whole || whole->magnitude > (whole->negative ? kSignBit : kSignBit - 1)) return {};
    return s64(whole->negative ? ~whole->magnitude + 1 : whole->magnitude);
}

std::optional<s64> typedWhole(std::string_view text) {
    const std::optional<s64> whole = parseWhole(text);
    return whole ? whole : typedNumber(text);
}

std::optional<f64> parseReal(std::string_view text) {
    if (const std::optional<Whole> whole = parseSigned(text))
        return whole->negative ? -f64(whole->magnitude) : f64(whole->magnitude);
    if (text.starts_with('+')) text.remove_prefix(1);
    f64 value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return {};
    return value;
}

Expected<Bits64> parseElement(std::string_view text, ElementType type) {
    if (type == ElementType::F16 || type == ElementType::F32 || type == ElementType::F64) {
        const std::optional<f64> value = parseReal(text);
        if (!value) return fail(FaultKind::Usage, Message(english("'{0}' is not a number"), text));
        if (type == ElementType::F64) return std::bit_cast<u64>(*value);
        return type == ElementType::F32 ? u64{std::bit_cast<u32>(f32(*value))}
                                        : u64{floatToHalf(f32(*value))};
    }
    const std::optional<Whole> whole = parseSigned(text);
    if (!whole)
        return fail(FaultKind::Usage,
                    Message(english("'{0}' is not a whole number, and {1} holds nothing else"), text,
                            info(type).name));
    return wholeElement(*whole, type, text);
}

Expected<Bits64> elementOf(s64 value, ElementType type) { return parseElement(std::to_string(value), type); }

}  // namespace lockstep::catalog
