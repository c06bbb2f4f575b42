// Colors as numbers: mixing and contrast.
#pragma once

#include "base/integers.h"

namespace lockstep::viz {

struct Colour {
    u8 r = 0, g = 0, b = 0;
    f32 alpha = 1;
    bool operator==(const Colour&) const = default;
};

constexpr Colour rgb(u32 hex) { return {u8(hex >> 16), u8(hex >> 8), u8(hex)}; }
// t = 0: a, t = 1: b; channel by channel as stored, as browsers and draw lists blend. Alpha is 1.
Colour mix(Colour a, Colour b, f32 t);
// `top` with its alpha over an opaque `ground`.
Colour over(Colour top, Colour ground);
// WCAG 2.1: relative luminance 0..1 and contrast ratio 1..21.
f64 luminance(Colour colour);
f64 contrast(Colour a, Colour b);

}  // namespace lockstep::viz
