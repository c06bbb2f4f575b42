// Where a line of code, or an instruction, is executed.
#pragma once

#include "viz/cursor/lookup.h"

#include <functional>
#include <optional>

namespace lockstep::viz {

// The next step of the cursor's warp there, after the cursor or else from the start.
std::optional<Cursor> stepAt(const Cursor& cursor, const CursorContext& here,
                             const std::function<bool(Pc)>& isThere);

}  // namespace lockstep::viz
