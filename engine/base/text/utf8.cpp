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

}  // namespace lockstep
