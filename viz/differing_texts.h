// Two pictures of one layout: which of their texts are not the same.
#pragma once

#include <vector>

#include "viz/scene.h"
#include "viz/text_metrics.h"

namespace lockstep::viz {

// Around each text of the first that the second has another text in place of, and around those of the second. What stands in a cell is
// data, not a figure about it, and is not framed. None where the pictures are laid out differently, or where so much differs that a
// frame would say nothing.
struct DifferingTexts { std::vector<Rect> first, second; };
DifferingTexts differingTexts(const Scene& first, const Scene& second, const TextMetrics& metrics);

}  // namespace lockstep::viz
