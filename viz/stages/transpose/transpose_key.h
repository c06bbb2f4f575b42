// What the marks of the transpose stage mean.
#pragma once

#include "viz/marks/frame.h"

#include <vector>

namespace lockstep::viz {

// Of a place of the tile that nothing is put into.
inline const RectStyle kTransposePadding{.hatch = role(RoleKind::Ghost, 0.8f), .hatchPitch = 5};

// mine: the color of the cursor's warp.
std::vector<KeyRow> transposeKey(Language language, Role mine, bool hasTile, bool hasPadding);

}  // namespace lockstep::viz
