// Mixing and contrast of colors.
#include "viz/scene/color.h"

#include <algorithm>
#include <cmath>

namespace lockstep::viz {

Color mix(Color a, Color b, f32 t) {
    const auto channel = [t](u8 from, u8 to) {
        return u8(std::lround(f32(from) + (f32(to) - f32(from)) * t));
    };
    return {channel(a.r, b.r), channel(a.g, b.g), channel(a.b, b.b)};
}

Color over(Color top, Color ground) { return mix(ground, top, top.alpha); }

f64 luminance(Color color) {
    const auto linear = [](u8 stored) {
        const f64 v = stored / 255.0;
        return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.r) + 0.7152 * linear(color.g) + 0.0722 * linear(color.b);
}

f64 contrast(Color a, Color b) {
    const auto [dark, light] = std::minmax({luminance(a), luminance(b)});
    return (light + 0.05) / (dark + 0.05);
}

}  // namespace lockstep::viz
