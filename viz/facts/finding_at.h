// What was found at the place where the cursor stands.
#pragma once

#include "base/text/message.h"
#include "run/run.h"
#include "viz/cursor/cursor.h"

#include <optional>
#include <string>

namespace lockstep::viz {

// The first finding that leads exactly there; null: none.
const trace::Finding* findingAt(const run::Run& run, const Cursor& cursor);
// A finding in words, its place in a shared array with the indices that the source has for it.
Message textOf(const run::Run& run, const trace::Finding& finding);
// Its sentence; none where there is none.
std::optional<std::string> findingSentence(const run::Run& run, const Cursor& cursor, Language language);

}  // namespace lockstep::viz
