// What a row of the glossary is.
#pragma once

#include "base/text.h"

#include <array>
#include <string_view>

namespace lockstep::viz {

// Ways in which running text has a term; the longest that fits counts. Empty ones are none.
using TermForms = std::array<std::string_view, 10>;

// As Text, but known when the program is compiled.
struct TermText {
    std::string_view en, zh;
    constexpr std::string_view in(Language language) const { return language == Language::Chinese ? zh : en; }
};

// A term of the field, explained by hand in both languages. Texts are of two to four sentences.
struct Term {
    std::string_view id;  // stable: the anchor on the page, the name in JSON and in actions
    TermText name;
    TermForms en;  // whole words; a small first letter stands for a capital, too
    TermForms zh;
    TermText text;
    std::array<std::string_view, 6> see;  // ids of terms that say more
};

}  // namespace lockstep::viz
