// What a row of the glossary is.
#pragma once

#include "base/text/words.h"

#include <array>
#include <string_view>

namespace lockstep::explain {

// A term of the field, explained by hand. Texts are of two to four sentences.
struct Term {
    std::string_view id;  // stable: the anchor on the page, the name in JSON and in actions
    Words name;
    // Ways in which running text has it, with | between them; the longest that fits counts. Of languages with
    // spaces whole words; a small first letter stands for a capital, too.
    Words forms;
    Words text;
    std::array<std::string_view, 6> see;  // ids of terms that say more
};

}  // namespace lockstep::explain
