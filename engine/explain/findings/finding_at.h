// What was found at the place where the cursor stands.
#pragma once

#include "base/cursor.h"
#include "base/text/message.h"
#include "explain/cursor/recorded.h"

#include <optional>
#include <string>

namespace lockstep::explain {

// The first finding that leads exactly there; null: none.
const trace::Finding* findingAt(const Recorded& run, const Cursor& cursor);
// A finding in words, its place in a shared array with the indices that the source has for it.
Message textOf(const Recorded& run, const trace::Finding& finding);
// What happened alone: no lines of source, no advice.
Message occurrenceOf(const Recorded& run, const trace::Finding& finding);
// Its sentence; none where there is none.
std::optional<std::string> findingSentence(const Recorded& run, const Cursor& cursor, Language language);

}  // namespace lockstep::explain
