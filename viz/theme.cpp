// The themes' colours and how roles turn into them. theme_test.cpp checks contrast and distances for colour-blind eyes.
#include "viz/theme.h"

#include <algorithm>
#include <cmath>

#include "viz/tokens.h"

namespace lockstep::viz {
namespace {

constexpr std::array<Colour, 8> kDarkWarps{rgb(0x6FAFF9), rgb(0xE39637), rgb(0xA2FEAA), rgb(0xA3809C), rgb(0xFFD905), rgb(0xD05B4D), rgb(0x7D70E8), rgb(0x9BAD8B)};
constexpr std::array<Colour, 8> kLightWarps{rgb(0x5B78F5), rgb(0xE07800), rgb(0x125D50), rgb(0xAA5C89), rgb(0x757A50), rgb(0x760603), rgb(0x6925A1), rgb(0x152E4F)};
constexpr std::array<Colour, 6> kDarkDegrees{rgb(0x5F7894), rgb(0x8A64DA), rgb(0xBE7CD0), rgb(0xF2849A), rgb(0xFCBA80), rgb(0xFFF04A)};
constexpr std::array<Colour, 6> kLightDegrees{rgb(0x6C98B8), rgb(0x7C72E4), rgb(0x7A45C0), rgb(0x842668), rgb(0x7A0F2C), rgb(0x3A0510)};

constexpr std::array<Theme, 3> kThemes{{
    {.name = "dark", .dark = true, .ground = rgb(0x14171C), .panel = rgb(0x1B1F26), .raised = rgb(0x272D37), .line = rgb(0x353D49), .edge = rgb(0x667284),
     .text = rgb(0xE6EAF0), .textSecond = rgb(0xB4BDC9), .textThird = rgb(0x8D98A8), .cursor = rgb(0xFFFFFF), .cursorInk = rgb(0x0B0D10),
     .ghost = rgb(0x778394), .inactive = rgb(0x2A303A), .wasted = rgb(0x4A5361), .load = rgb(0x62B4FF), .store = rgb(0xFFA552), .finding = rgb(0xFF8278),
     .warps = kDarkWarps, .degrees = kDarkDegrees},
    {.name = "light", .dark = false, .ground = rgb(0xFFFFFF), .panel = rgb(0xF3F5F7), .raised = rgb(0xE4E8ED), .line = rgb(0xD0D6DE), .edge = rgb(0x7B8694),
     .text = rgb(0x14181E), .textSecond = rgb(0x434C59), .textThird = rgb(0x5F6977), .cursor = rgb(0x000000), .cursorInk = rgb(0xFFFFFF),
     .ghost = rgb(0x8792A0), .inactive = rgb(0xE9EDF1), .wasted = rgb(0xC3CAD3), .load = rgb(0x005FB8), .store = rgb(0xB04600), .finding = rgb(0xB3261E),
     .warps = kLightWarps, .degrees = kLightDegrees},
    {.name = "projector", .dark = false, .ground = rgb(0xFFFFFF), .panel = rgb(0xFFFFFF), .raised = rgb(0xE1E5EA), .line = rgb(0xA9B2BD), .edge = rgb(0x3A424D),
     .text = rgb(0x000000), .textSecond = rgb(0x262D36), .textThird = rgb(0x454E5B), .cursor = rgb(0x000000), .cursorInk = rgb(0xFFFFFF),
     .ghost = rgb(0x5F6A78), .inactive = rgb(0xDFE4EA), .wasted = rgb(0xAEB7C2), .load = rgb(0x005FB8), .store = rgb(0xAD4400), .finding = rgb(0xB3261E),
     .warps = kLightWarps, .degrees = kLightDegrees},
}};

constexpr Colour kBlackInk = rgb(0x0B0D10), kWhiteInk = rgb(0xFFFFFF), kBlackest = rgb(0x000000);
constexpr f64 kReadable = 4.5;  // WCAG 2.1, level AA

Colour degreeColour(const Theme& theme, u32 degree) {
    const f32 place = std::min(5.0f, std::log2(f32(std::max(1u, degree))));
    const u32 step = std::min(4u, u32(place));
    return mix(theme.degrees[step], theme.degrees[step + 1], place - f32(step));
}

Colour warpColour(const Theme& theme, const Role& role) {
    const Colour hue = theme.warps[role.index % theme.warps.size()];
    return role.lanes > 1 ? mix(hue, theme.ground, kLaneRamp * f32(role.lane) / f32(role.lanes - 1)) : hue;
}

Colour opaqueColour(const Role& role, const Theme& theme) {
    switch (role.kind) {
        case RoleKind::None: return {0, 0, 0, 0};
        case RoleKind::Ground: return theme.ground;
        case RoleKind::Panel: return theme.panel;
        case RoleKind::Raised: return theme.raised;
        case RoleKind::Line: return theme.line;
        case RoleKind::Edge: return theme.edge;
        case RoleKind::Text: return theme.text;
        case RoleKind::TextSecond: return theme.textSecond;
        case RoleKind::TextThird: return theme.textThird;
        case RoleKind::Cursor: return theme.cursor;
        case RoleKind::CursorInk: return theme.cursorInk;
        case RoleKind::Ghost: return theme.ghost;
        case RoleKind::Inactive: return theme.inactive;
        case RoleKind::Wasted: return theme.wasted;
        case RoleKind::Load: return theme.load;
        case RoleKind::Store: return theme.store;
        case RoleKind::Finding: return theme.finding;
        case RoleKind::Warp: return warpColour(theme, role);
        case RoleKind::Degree: return degreeColour(theme, role.index);
        case RoleKind::InkOn: break;
    }
    Role fill = role;
    fill.kind = role.onKind;
    const Colour ground = over(colourOf(fill, theme), theme.ground);
    const Colour ink = contrast(ground, kBlackInk) > contrast(ground, kWhiteInk) ? kBlackInk : kWhiteInk;
    // Where both fall just short, pure black does not: a fill that is too light for white is light enough for it.
    return contrast(ground, ink) >= kReadable ? ink : kBlackest;
}

}  // namespace

std::span<const Theme> themes() { return kThemes; }

const Theme* findTheme(std::string_view name) {
    const auto found = std::ranges::find(kThemes, name, &Theme::name);
    return found == kThemes.end() ? nullptr : &*found;
}

const Theme& defaultTheme() { return kThemes[0]; }

Colour colourOf(const Role& role, const Theme& theme) {
    Colour colour = opaqueColour(role, theme);
    if (role.kind != RoleKind::InkOn) colour.alpha *= role.alpha;
    return colour;
}

}  // namespace lockstep::viz
