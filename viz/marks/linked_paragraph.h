// A paragraph some of whose words lead somewhere: underlined, and each answers the mouse.
#pragma once

#include "viz/scene/canvas.h"

#include <span>
#include <string_view>

namespace lockstep::viz {

struct LinkedWords {
    u32 begin = 0, end = 0;  // bytes of the text
    Hit hit;
};

// Wrapped to `width`; `at` is the middle of its first line. Returns its number of lines.
u32 linkedParagraph(Canvas& canvas, Point at, f32 width, std::string_view text,
                    std::span<const LinkedWords> links, const TextStyle& style);

}  // namespace lockstep::viz
