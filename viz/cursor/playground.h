// What the playground plays with: an access without a kernel, and the lane that is talked about.
#pragma once

#include "base/indices.h"
#include "base/text/words.h"
#include "model/access/access_pattern.h"
#include "run/run.h"
#include "viz/cursor/cursor.h"

#include <optional>

namespace lockstep::viz {

inline constexpr Words kPlaygroundTitle = english("Playground");

struct Playground {
    model::AccessPattern pattern = model::accessPresets().front().pattern;
    Lane lane;
    bool operator==(const Playground&) const = default;
};

// The access at the cursor as a pattern: offsets from the start of its buffer, or of shared memory. None:
// there is no access, or none that the playground can show.
std::optional<model::AccessPattern> patternAt(const run::Run& run, const Cursor& cursor);

}  // namespace lockstep::viz
