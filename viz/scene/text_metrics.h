// How wide a text is; views lay out by it without knowing fonts.
#pragma once

#include "viz/scene/scene.h"

#include <string_view>

namespace lockstep::viz {

// Widths of texts, from the same font files on screen, in SVG and in PNG.
class TextMetrics {
public:
    virtual ~TextMetrics() = default;
    virtual f32 width(std::string_view text, f32 size, Face face) const = 0;
};

}  // namespace lockstep::viz
