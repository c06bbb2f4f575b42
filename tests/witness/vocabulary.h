// Whether the words on a picture are those of the program: vocabulary.txt says which are not.
#pragma once

#include "base/text/language.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::witness {

struct Unsaid {
    Language language;
    std::string never, say;
};
// Of a file like vocabulary.txt; a row that cannot be read ends the program.
std::vector<Unsaid> readVocabulary(const std::string& file);

// The first row whose word stands in the text.
const Unsaid* wrongWordIn(const std::vector<Unsaid>& vocabulary, Language language, std::string_view text);

}  // namespace lockstep::witness
