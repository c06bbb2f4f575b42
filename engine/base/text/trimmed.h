// A text without the blanks at its ends.
#pragma once

#include <string_view>

namespace lockstep {

inline constexpr std::string_view kAllBlanks = " \t\n\v\f\r";  // what isspace() takes for one

constexpr std::string_view trimmed(std::string_view text, std::string_view blanks = kAllBlanks) {
    const std::size_t first = text.find_first_not_of(blanks);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

}  // namespace lockstep
