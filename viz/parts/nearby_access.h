// Where the instruction at the cursor touches no memory of the kind that a view shows: the picture of the
// nearest one that does, under a line that says so and leads there.
#pragma once

#include "base/text/words.h"
#include "viz/cursor/lookup.h"
#include "viz/view.h"

namespace lockstep::viz {

using Wanted = bool (*)(const trace::StoredAccess&);

// Of the cursor's warp: the last before the cursor, else the first after it; none: it has no such access.
std::optional<Cursor> accessNearby(const CursorContext& here, const Cursor& cursor, Wanted wanted);

// `build` draws the view at `there`, which has what it shows. none: why the cursor has nothing.
Scene sceneNearby(const ViewInput& in, const CursorContext& here, const Cursor& there, const Words& title,
                  const std::string& none, Scene (*build)(const ViewInput&));

// What a sentence adds where the picture is of another step than the cursor's.
std::string pictureIsOf(Language language, u32 step, bool isAhead);

}  // namespace lockstep::viz
