// Whether a name stands in a text of code.
#pragma once

#include <string_view>

namespace lockstep {

// As a whole word: not as part of a longer name.
constexpr bool hasWord(std::string_view text, std::string_view word) {
    const auto isOfName = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !isOfName(text[at - 1])) && (end == text.size() || !isOfName(text[end]))) return true;
    }
    return false;
}

}  // namespace lockstep
