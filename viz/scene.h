// A picture as data: marks in logical pixels with colour *roles*. Views build Scenes, painters draw them, tests compare them
// as SVG text, and the window asks them what lies under the mouse. The theme alone knows colours.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/dim3.h"
#include "base/indices.h"
#include "viz/cursor.h"

namespace lockstep::viz {

struct Point { f32 x = 0, y = 0; };
struct Size { f32 width = 0, height = 0; };
struct Rect {
    f32 x = 0, y = 0, width = 0, height = 0;
    bool contains(Point p) const { return p.x >= x && p.x < x + width && p.y >= y && p.y < y + height; }
    Point centre() const { return {x + width / 2, y + height / 2}; }
    f32 right() const { return x + width; }
    f32 bottom() const { return y + height; }
};

// What a colour means. The theme turns a Role into a colour; docs/visual-grammar.md explains the grammar.
enum class RoleKind : u8 {
    None, Ground, Panel, Raised, Line, Edge, Text, TextSecond, TextThird, Cursor, CursorInk, Ghost, Inactive, Wasted,
    Load, Store, Finding,
    Warp,    // index = warp, shade = lane: hue by warp mod 8, lightness by lane
    Degree,  // index = degree of a conflict or number of a pass, 1..32: one sequential scale
    InkOn,   // black or white, whichever reads better on `index`-encoded fill: see inkOn()
};
struct Role {
    RoleKind kind = RoleKind::None;
    u16 index = 0;
    u8 lane = 0, lanes = 0;   // Warp: lightness = mix(warp, ground, 0.42*lane/(lanes-1)); lanes 0: the pure hue
    f32 alpha = 1;
    // InkOn: the fill that the ink stands on.
    RoleKind onKind = RoleKind::None;
    bool operator==(const Role&) const = default;
};
constexpr Role role(RoleKind kind, f32 alpha = 1) { return {.kind = kind, .alpha = alpha}; }
constexpr Role warpRole(Warp warp, Lane lane = Lane{0}, u32 lanes = 0, f32 alpha = 1) {
    return {.kind = RoleKind::Warp, .index = u16(warp.value), .lane = u8(lane.value), .lanes = u8(lanes), .alpha = alpha};
}
constexpr Role degreeRole(u32 degree) { return {.kind = RoleKind::Degree, .index = u16(degree)}; }
constexpr Role inkOn(Role fill) { fill.onKind = fill.kind; fill.kind = RoleKind::InkOn; fill.alpha = 1; return fill; }

enum class Face : u8 { Text, TextBold, Mono, MonoBold };  // Inter, JetBrains Mono; Chinese falls back to Noto Sans CJK SC
enum class Align : u8 { Left, Centre, Right };
enum class Dash : u8 { Solid, Dashed /* 5-4: nothing read */, Dotted /* 2-4: still to go */, Sparse /* 2-5: next step */ };

struct Stroke { Role role; f32 width = 1; Dash dash = Dash::Solid; };

// What lies under the mouse: a sentence to say and, if a click does something, the cursor it leads to.
struct Hit {
    std::string hover;
    std::optional<Cursor> go;
};

struct RectMark { Rect rect; f32 radius = 0; Role fill; Stroke stroke; bool hatched = false; Role hatch; };
struct LineMark { Point from, to; Stroke stroke; bool arrow = false; };
struct CurveMark { std::array<Point, 4> points; Stroke stroke; bool arrow = false; };  // cubic Bezier
struct PolygonMark { std::vector<Point> points; Role fill; Stroke stroke; };
struct TextMark { Point at; std::string text; f32 size = 13; Face face = Face::Text; Align align = Align::Left; Role role; };  // at: baseline
struct ClipMark { std::optional<Rect> rect; };  // marks that follow are cut to it; none = end of the cut

using Shape = std::variant<RectMark, LineMark, CurveMark, PolygonMark, TextMark, ClipMark>;

struct Mark {
    Shape shape;
    s32 hit = -1;  // into Scene::hits
};

struct Scene {
    Size size;
    std::vector<Mark> marks;  // painter's order
    struct HitArea { Rect rect; Hit hit; };
    std::vector<HitArea> hits;  // later ones lie on top
    // Set while something is still under way at this animation time: draw again.
    bool animating = false;

    const Hit* hitAt(Point p) const;
};

}  // namespace lockstep::viz
