// How roles turn into the themes' colors (tokens.h).
#include "viz/scene/theme.h"

#include "viz/scene/tokens.h"

#include <algorithm>
#include <cmath>

namespace lockstep::viz {
namespace {

constexpr Color kBlackInk = rgb(0x0B0D10), kWhiteInk = rgb(0xFFFFFF), kBlackest = rgb(0x000000);
constexpr f64 kReadable = 4.5;  // WCAG 2.1, level AA

Color degreeColor(const Theme& theme, u32 degree) {
    const f32 place = std::min(5.0f, std::log2(f32(std::max(1u, degree))));
    const u32 step = std::min(4u, u32(place));
    return mix(theme.degrees[step], theme.degrees[step + 1], place - f32(step));
}

Color warpColor(const Theme& theme, const Role& role) {
    const Color hue = theme.warps[role.index % theme.warps.size()];
    return role.lanes > 1 ? mix(hue, theme.ground, kLaneRamp * f32(role.lane) / f32(role.lanes - 1)) : hue;
}

Color opaqueColor(const Role& role, const Theme& theme) {
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
        case RoleKind::Warp: return warpColor(theme, role);
        case RoleKind::Degree: return degreeColor(theme, role.index);
        case RoleKind::InkOn: break;
    }
    Role fill = role;
    fill.kind = role.onKind;
    const Color ground = over(colorOf(fill, theme), theme.ground);
    const Color ink = contrast(ground, kBlackInk) > contrast(ground, kWhiteInk) ? kBlackInk : kWhiteInk;
    // Where both fall just short, pure black does not: a fill that is too light for white is light enough for
    // it.
    return contrast(ground, ink) >= kReadable ? ink : kBlackest;
}

}  // namespace

std::span<const Theme> themes() { return palette::kThemes; }

const Theme* findTheme(std::string_view name) {
    const auto found = std::ranges::find(palette::kThemes, name, &Theme::name);
    return found == palette::kThemes.end() ? nullptr : &*found;
}

const Theme& defaultTheme() { return palette::kThemes[0]; }

Color colorOf(const Role& role, const Theme& theme) {
    Color color = opaqueColor(role, theme);
    if (role.kind != RoleKind::InkOn) color.alpha *= role.alpha;
    return color;
}

}  // namespace lockstep::viz
