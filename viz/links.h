// Where the links of a text lead in a run: the step, the view or the variant that its words speak of.
#pragma once

#include "catalog/linked_text.h"
#include "viz/view.h"

#include <optional>

namespace lockstep::viz {

// What a click on such words does. None where the run has no such place: the words are then plain text.
std::optional<Hit> hitOf(const ViewInput& in, const catalog::LinkTarget& target);

// The step that a link to a line, a phase or an event leads to: the next one of the cursor's warp, then from
// its first step on, then of the other warps and recorded blocks.
std::optional<Cursor> placeOf(const run::Run& run, const model::Profile& profile, const Cursor& cursor,
                              const catalog::LinkTarget& target);

}  // namespace lockstep::viz
