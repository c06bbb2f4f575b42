// The design's sizes in one place: type, space, corners, lines. Colours are in theme.cpp.
#pragma once

#include <array>
#include <span>

#include "viz/scene.h"

namespace lockstep::viz {

namespace type {  // logical pixels an em
inline constexpr f32 kAxis = 11, kCode = 12, kBody = 13, kTitle = 15, kName = 19, kSentence = 19, kFigure = 28;
inline constexpr f32 kLineHeight = 1.42f, kCodeLine = 20;
// The middle of a line of text lies this part of its size above the baseline (cap height of Inter and JetBrains Mono, halved).
inline constexpr f32 kMiddle = 0.355f;
}  // namespace type

namespace space { inline constexpr f32 kGrid = 4, kInset = 16, kGap = 8, kHead = 36, kSentence = 78, kBar = 4; }
namespace radius { inline constexpr f32 kCell = 3, kControl = 4, kToken = 5, kPanel = 6; }
namespace line {
inline constexpr f32 kHair = 1, kUnread = 1.5f, kRead = 2.5f, kTile = 2, kNext = 1.5f, kCursor = 2, kCursorGap = 1.5f;
}

inline constexpr f32 kLaneRamp = 0.42f;   // how far the last lane's colour goes towards the ground
inline constexpr f32 kGhostUsed = 0.7f, kGhostIdle = 0.22f, kBand = 0.07f;  // opacities: hatch in use, hatch elsewhere, row or column band

inline constexpr std::array<f32, 2> kDashed{5, 4}, kDotted{2, 4}, kSparse{2, 5};
// Lengths of dash and gap, in turn; empty = solid.
constexpr std::span<const f32> dashPattern(Dash dash) {
    
    switch (dash) {
        case Dash::Solid: return {};
        case Dash::Dashed: return kDashed;
        case Dash::Dotted: return kDotted;
        case Dash::Sparse: return kSparse;
    }
    return {};
}

}  // namespace lockstep::viz
