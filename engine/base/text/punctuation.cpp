#include "base/text/punctuation.h"

#include "base/text/words.h"

namespace lockstep {

std::string sentenceGap(Language language) {
    return say(language, english("two sentences", "{0} {1}"), "", "");
}
std::string fullStop(Language language) { return say(language, english("end of a sentence", ".")); }
std::string comma(Language language) { return say(language, english("between parts of a sentence", ", ")); }
std::string listComma(Language language) { return say(language, english(", ")); }
std::string semicolon(Language language) { return say(language, english("; ")); }
std::string colon(Language language) { return say(language, english(": ")); }

}  // namespace lockstep
