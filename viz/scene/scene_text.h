// A picture's texts, for a clipboard.
#pragma once

#include "viz/scene/scene.h"

#include <string>

namespace lockstep::viz {

// Line by line from the top, the texts of a line from the left, parted by tabs: a table comes out as rows and
// columns. What a clip hides is left out, and keys to the marks. The sentence at the cursor stands at the
// end.
std::string tableText(const Scene& scene);

}  // namespace lockstep::viz
