// The design in one place: type scale, space, corners, lines, what a hall needs, and the themes' colors.
// theme_test.cpp checks contrast and distances for color-blind eyes.
#pragma once

#include "viz/scene/scene.h"
#include "viz/scene/theme.h"

#include <array>
#include <span>

namespace lockstep::viz {

namespace type {  // logical pixels an em
inline constexpr f32 kAxis = 11, kCode = 12, kBody = 13, kTitle = 15, kName = 19, kSentence = 19,
                     kFigure = 28;
inline constexpr f32 kLineHeight = 1.42f, kCodeLine = 20;
// The middle of a line of text lies this part of its size above the baseline (cap height of Inter and
// JetBrains Mono, halved).
inline constexpr f32 kMiddle = 0.355f;
}  // namespace type

namespace space {
inline constexpr f32 kGrid = 4, kInset = 16, kGap = 8, kHead = 36, kSentence = 78, kBar = 4;
}
namespace radius {
inline constexpr f32 kCell = 3, kControl = 4, kToken = 5, kPanel = 6;
}
namespace line {
inline constexpr f32 kHair = 1, kUnread = 1.5f, kRead = 2.5f, kTile = 2, kNext = 1.5f, kCursor = 2,
                     kCursorGap = 1.5f;
}

// Presented: sizes of a screen of 1440 x 900, as the mock-up has them.
namespace hall {
inline constexpr f32 kTitle = 30, kPlace = 26, kLeastLetters = 26, kLeastReading = 17, kSentence = 44,
                     kLeastSentence = 28, kInset = 40, kHead = 84, kBarWidth = 4, kPadding = 28;
}

inline constexpr f32 kLaneRamp = 0.42f;  // how far the last lane's color goes towards the ground
inline constexpr f32 kGhostUsed = 0.7f, kGhostIdle = 0.22f,
                     kBand = 0.07f;  // opacities: hatch in use, hatch elsewhere, row or column band

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

namespace palette {
inline constexpr std::array<Color, 8> kDarkWarps{rgb(0x6FAFF9), rgb(0xE39637), rgb(0xA2FEAA), rgb(0xA3809C),
                                                 rgb(0xFFD905), rgb(0xD05B4D), rgb(0x7D70E8), rgb(0x9BAD8B)};
inline constexpr std::array<Color, 8> kLightWarps{rgb(0x5B78F5), rgb(0xE07800), rgb(0x125D50), rgb(0xAA5C89),
                                                  rgb(0x757A50), rgb(0x760603), rgb(0x6925A1), rgb(0x152E4F)};
inline constexpr std::array<Color, 6> kDarkDegrees{rgb(0x5F7894), rgb(0x8A64DA), rgb(0xBE7CD0),
                                                   rgb(0xF2849A), rgb(0xFCBA80), rgb(0xFFF04A)};
inline constexpr std::array<Color, 6> kLightDegrees{rgb(0x6C98B8), rgb(0x7C72E4), rgb(0x7A45C0),
                                                    rgb(0x842668), rgb(0x7A0F2C), rgb(0x3A0510)};

inline constexpr std::array<Theme, 3> kThemes{{
    {.name = "dark",
     .dark = true,
     .ground = rgb(0x14171C),
     .panel = rgb(0x1B1F26),
     .raised = rgb(0x272D37),
     .line = rgb(0x353D49),
     .edge = rgb(0x667284),
     .text = rgb(0xE6EAF0),
     .textSecond = rgb(0xB4BDC9),
     .textThird = rgb(0x8D98A8),
     .cursor = rgb(0xFFFFFF),
     .cursorInk = rgb(0x0B0D10),
     .ghost = rgb(0x778394),
     .inactive = rgb(0x2A303A),
     .wasted = rgb(0x4A5361),
     .load = rgb(0x62B4FF),
     .store = rgb(0xFFA552),
     .finding = rgb(0xFF8278),
     .warps = kDarkWarps,
     .degrees = kDarkDegrees},
    {.name = "light",
     .dark = false,
     .ground = rgb(0xFFFFFF),
     .panel = rgb(0xF3F5F7),
     .raised = rgb(0xE4E8ED),
     .line = rgb(0xD0D6DE),
     .edge = rgb(0x7B8694),
     .text = rgb(0x14181E),
     .textSecond = rgb(0x434C59),
     .textThird = rgb(0x5F6977),
     .cursor = rgb(0x000000),
     .cursorInk = rgb(0xFFFFFF),
     .ghost = rgb(0x8792A0),
     .inactive = rgb(0xE9EDF1),
     .wasted = rgb(0xC3CAD3),
     .load = rgb(0x005FB8),
     .store = rgb(0xB04600),
     .finding = rgb(0xB3261E),
     .warps = kLightWarps,
     .degrees = kLightDegrees},
    {.name = "projector",
     .dark = false,
     .ground = rgb(0xFFFFFF),
     .panel = rgb(0xFFFFFF),
     .raised = rgb(0xE1E5EA),
     .line = rgb(0xA9B2BD),
     .edge = rgb(0x3A424D),
     .text = rgb(0x000000),
     .textSecond = rgb(0x262D36),
     .textThird = rgb(0x454E5B),
     .cursor = rgb(0x000000),
     .cursorInk = rgb(0xFFFFFF),
     .ghost = rgb(0x5F6A78),
     .inactive = rgb(0xDFE4EA),
     .wasted = rgb(0xAEB7C2),
     .load = rgb(0x005FB8),
     .store = rgb(0xAD4400),
     .finding = rgb(0xB3261E),
     .warps = kLightWarps,
     .degrees = kLightDegrees},
}};
}  // namespace palette

}  // namespace lockstep::viz
