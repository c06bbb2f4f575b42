// The program's fonts in ImGui's atlas, so that a text in the window is as wide as Fonts says.
#pragma once

#include "viz/scene/fonts.h"

#include <array>

struct ImFont;

namespace lockstep::viz {

// One ImFont a Face, each with Noto Sans CJK SC behind it. ImGui counts a font's size from ascender to
// descender, we count the em.
struct ImGuiFonts {
    std::array<ImFont*, 4> faces{};
    std::array<f32, 4> heightOfEm{};

    ImFont* font(Face face) const { return faces[std::size_t(face)]; }
    f32 size(Face face, f32 em) const { return em * heightOfEm[std::size_t(face)]; }
};

// Adds them to the current context's atlas. `fonts` must outlive the context.
ImGuiFonts addFonts(const Fonts& fonts);

}  // namespace lockstep::viz
