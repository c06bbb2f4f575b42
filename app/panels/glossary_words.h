// The window's texts around the glossary's own.
#pragma once

#include "base/text/words.h"

namespace lockstep::app::words {

inline constexpr Words kGlossaryEntry = english("Glossary: {0}");
inline constexpr Words kGlossarySee = english("See also");
inline constexpr Words kGlossarySeeLine = english("See also: {0}");
inline constexpr Words kGlossaryBetween = english(", ");
inline constexpr Words kGlossaryOpens = english("A right click opens it");
inline constexpr Words kGlossaryTermHelp = english("Shows what this term means");
inline constexpr Words kGlossaryPage = english("All terms");
inline constexpr Words kGlossaryPageHelp = english("Opens the page with all terms, in English and Chinese");
inline constexpr Words kGlossaryUnderline = english("Underline glossary terms, or stop doing so");

}  // namespace lockstep::app::words
