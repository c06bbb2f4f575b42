// Colors: what each role looks like in the dark, the light and the projector theme.
#pragma once

#include "viz/scene/color.h"
#include "viz/scene/scene.h"

#include <array>
#include <span>
#include <string_view>

namespace lockstep::viz {

struct Theme {
    std::string_view name;  // of --theme: "dark"
    bool dark = true;
    Color ground, panel, raised, line, edge, text, textSecond, textThird, cursor, cursorInk, ghost, inactive,
        wasted, load, store, finding;
    std::array<Color, 8> warps;    // by warp mod 8
    std::array<Color, 6> degrees;  // of 1, 2, 4, 8, 16, 32; between them by log2
};

std::span<const Theme> themes();
const Theme* findTheme(std::string_view name);
const Theme& defaultTheme();  // dark

// A role with kind None is fully transparent.
Color colorOf(const Role& role, const Theme& theme);

}  // namespace lockstep::viz
