// The texts of a picture as a person reads them: a paragraph as one, and without what a clip hides.
#pragma once

#include "base/text/language.h"
#include "viz/scene/scene.h"
#include "viz/scene/text_metrics.h"

#include <string>
#include <vector>

namespace lockstep::viz {

struct DrawnText {
    std::string text;  // of a paragraph, all its lines
    std::size_t firstLineBytes = 0;
    Point middle;                     // of its first line
    f32 left = 0, top = 0, size = 0;  // of its first line
    Face face = Face::Text;
};

// As painted.
std::vector<DrawnText> drawnTexts(const Scene& scene, const TextMetrics& metrics, Language language);

}  // namespace lockstep::viz
