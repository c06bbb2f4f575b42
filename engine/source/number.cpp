#include "source/number.h"

#include <charconv>
#include <string>

namespace lockstep::source {

std::optional<Number> readNumber(std::string_view text) {
    std::string digits;
    for (const char c : text)
        if (c != '\'') digits += c;
    const bool isHex = digits.starts_with("0x") || digits.starts_with("0X"),
               isBinary = digits.starts_with("0b") || digits.starts_with("0B");
    Number number;
    number.isReal = digits.find('.') != std::string::npos ||
                    digits.find_first_of(isHex ? "pP" : "eE") != std::string::npos;
    std::string suffix;
    const std::string_view suffixes = number.isReal || !isHex ? "fFlLuU" : "lLuU";
    while (!digits.empty() && suffixes.find(digits.back()) != std::string_view::npos) {
        suffix += char(digits.back() | 0x20);
        digits.pop_back();
    }
    const bool hasF = suffix.find('f') != std::string::npos;
    if (hasF && !number.isReal) return std::nullopt;
    number.isFloat = hasF;
    number.isUnsigned = suffix.find('u') != std::string::npos;
    number.isLong = suffix.find('l') != std::string::npos;
    const char* begin = digits.data();
    const char* end = begin + digits.size();
    if (number.isReal) {
        const auto [at, error] = std::from_chars(begin + (isHex ? 2 : 0), end, number.real,
                                                 isHex ? std::chars_format::hex : std::chars_format::general);
        return error == std::errc{} && at == end ? std::optional(number) : std::nullopt;
    }
    const int base = isHex ? 16 : isBinary ? 2 : digits.size() > 1 && digits[0] == '0' ? 8 : 10;
    const auto [at, error] = std::from_chars(begin + (isHex || isBinary ? 2 : 0), end, number.integer, base);
    if (error != std::errc{} || at != end) return std::nullopt;
    if (number.integer > 0x7fffffff && !(base != 10 && number.integer <= 0xffffffff)) number.isLong = true;
    if (number.integer > 0x7fffffff && base != 10 && number.integer <= 0xffffffff) number.isUnsigned = true;
    return number;
}

}  // namespace lockstep::source
