// Characters of a UTF-8 text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace lockstep {

// The next character, which the text is shortened by; U+FFFD for what is not UTF-8. text is not empty.
char32_t takeCharacter(std::string_view& text);

// Where the first byte stands that is not UTF-8; none: all of it is.
std::optional<std::size_t> firstNotUtf8(std::string_view text);
// The same text, with U+FFFD for what is not UTF-8.
std::string asUtf8(std::string_view text);

}  // namespace lockstep
