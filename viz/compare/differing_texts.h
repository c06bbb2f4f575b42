// Two pictures of one layout: which of their texts and which of their cells are not the same.
#pragma once

#include "viz/scene/scene.h"
#include "viz/scene/text_metrics.h"

#include <vector>

namespace lockstep::viz {

// Around each cell of the first that holds something else in the second, around each text that has another
// one in its place, and around those of the second. What explains the marks (Scene::keys) is no figure and is
// not framed. No texts where the pictures are laid out differently, and neither texts nor cells where so many
// of them differ that frames would say nothing.
struct DifferingTexts {
    std::vector<Rect> first, second;
};
DifferingTexts differingTexts(const Scene& first, const Scene& second, const TextMetrics& metrics);

}  // namespace lockstep::viz
