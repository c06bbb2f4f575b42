// Colors as numbers: mixing and contrast.
#pragma once

#include "base/integers.h"

namespace lockstep::viz {

struct Color {
    u8 r = 0, g = 0, b = 0;
    f32 alpha = 1;
    bool operator==(const Color&) const = default;
};

constexpr Color rgb(u32 hex) { return {u8(hex >> 16), u8(hex >> 8), u8(hex)}; }
// t = 0: a, t = 1: b; channel by channel as stored, as browsers and draw lists blend. Alpha is 1.
Color mix(Color a, Color b, f32 t);
// `top` with its alpha over an opaque `ground`.
Color over(Color top, Color ground);
// WCAG 2.1: relative luminance 0..1 and contrast ratio 1..21.
f64 luminance(Color color);
f64 contrast(Color a, Color b);

}  // namespace lockstep::viz
