// What stands between the parts of a text, in the way of each language.
#pragma once

#include "base/text/language.h"

#include <string>

namespace lockstep {

std::string sentenceGap(Language language);  // between two sentences: " ", or nothing
std::string fullStop(Language language);
std::string comma(Language language);      // between parts of a sentence: ", ", "，"
std::string listComma(Language language);  // between the members of a list: ", ", "、"
std::string semicolon(Language language);
std::string colon(Language language);

}  // namespace lockstep
