#include "viz/marks/fitting_text.h"

namespace lockstep::viz {

std::string firstFitting(const Canvas& canvas, f32 room, const TextStyle& style,
                         std::initializer_list<std::string> texts) {
    for (const std::string& text : texts)
        if (canvas.width(text, style) <= room) return text;
    return *std::prev(texts.end());
}

TextStyle shrunkToFit(const Canvas& canvas, f32 room, TextStyle style, std::string_view text) {
    for (const f32 smaller : {type::kName, type::kTitle, type::kBody, type::kCode, type::kAxis})
        if (smaller < style.size && canvas.width(text, style) > room) style.size = smaller;
    return style;
}

}  // namespace lockstep::viz
