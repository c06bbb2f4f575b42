// Decodes UTF-8.
#include "base/text/utf8.h"

#include "base/integers.h"

namespace lockstep {

char32_t takeCharacter(std::string_view& text) {
    const auto at = [&](std::size_t i) { return u8(text[i]); };
    const u8 first = at(0);
    const std::size_t length = first < 0x80       ? 1
                               : first >> 5 == 6  ? 2
                               : first >> 4 == 14 ? 3
                               : first >> 3 == 30 ? 4
                                                  : 0;
    if (length == 0 || length > text.size()) {
        text.remove_prefix(1);
        return 0xFFFD;
    }
    char32_t character = length == 1 ? first : first & (0x7F >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if (at(i) >> 6 != 2) {
            text.remove_prefix(i);
            return 0xFFFD;
        }
        character = character << 6 | (at(i) & 0x3F);
    }
    text.remove_prefix(length);
    return character;
}

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// What takeCharacter() takes away; nothing: it is not UTF-8.
std::string_view nextCharacter(std::string_view& text) {
    const std::string_view before = text;
    const char32_t character = takeCharacter(text);
    const std::string_view taken = before.substr(0, before.size() - text.size());
    return character == 0xFFFD && taken != kReplacement ? std::string_view() : taken;
}

}  // namespace

std::optional<std::size_t> firstNotUtf8(std::string_view text) {
    for (std::string_view left = text; !left.empty();) {
        const std::size_t at = text.size() - left.size();
        if (nextCharacter(left).empty()) return at;
    }
    return {};
}

std::string asUtf8(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::string_view character = nextCharacter(text);
        out += character.empty() ? kReplacement : character;
    }
    return out;
}

}  // namespace lockstep
