// Characters of a UTF-8 text.
#pragma once

#include <string_view>

namespace lockstep {

// The next character, which the text is shortened by; U+FFFD for what is not UTF-8. text is not empty.
char32_t takeCharacter(std::string_view& text);

}  // namespace lockstep
