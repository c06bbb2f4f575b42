// A picture as data: shapes in logical pixels with color *roles*. Views build Scenes, painters draw them,
// tests compare them as SVG text, and the window asks them what lies under the mouse. The theme alone knows
// colors.
#pragma once

#include "base/dim3.h"
#include "base/indices.h"
#include "viz/cursor/cursor.h"
#include "viz/view_options.h"

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace lockstep::viz {

struct Point {
    f32 x = 0, y = 0;
    bool operator==(const Point&) const = default;
};
struct Size {
    f32 width = 0, height = 0;
};
struct Rect {
    f32 x = 0, y = 0, width = 0, height = 0;
    bool operator==(const Rect&) const = default;
    bool contains(Point p) const { return p.x >= x && p.x < x + width && p.y >= y && p.y < y + height; }
    Point centre() const { return {x + width / 2, y + height / 2}; }
    f32 right() const { return x + width; }
    f32 bottom() const { return y + height; }
    Rect inset(f32 by) const { return {x + by, y + by, width - 2 * by, height - 2 * by}; }
};

// What a color means. The theme turns a Role into a color; docs/internals/visual-grammar.md explains the
// grammar.
enum class RoleKind : u8 {
    None,
    Ground,
    Panel,
    Raised,
    Line,
    Edge,
    Text,
    TextSecond,
    TextThird,
    Cursor,
    CursorInk,
    Ghost,
    Inactive,
    Wasted,
    Load,
    Store,
    Finding,
    Warp,    // index = warp: hue by warp mod 8; lane of lanes: lightness
    Degree,  // index = degree of a conflict or number of a pass, 1..32: one sequential scale
    InkOn,   // black or white, whichever reads better on the fill in the other fields, drawn over the ground:
             // see inkOn()
};
struct Role {
    RoleKind kind = RoleKind::None;
    u16 index = 0;
    u8 lane = 0, lanes = 0;            // Warp: mix(warp, ground, 0.42*lane/(lanes-1)); lanes 0: the pure hue
    f32 alpha = 1;                     // of InkOn: the fill's; ink itself is always opaque
    RoleKind onKind = RoleKind::None;  // InkOn: the fill's kind
    bool operator==(const Role&) const = default;
};
constexpr Role role(RoleKind kind, f32 alpha = 1) { return {.kind = kind, .alpha = alpha}; }
constexpr Role warpRole(Warp warp, Lane lane = Lane{0}, u32 lanes = 0, f32 alpha = 1) {
    return {.kind = RoleKind::Warp,
            .index = u16(warp.value),
            .lane = u8(lane.value),
            .lanes = u8(lanes),
            .alpha = alpha};
}
constexpr Role degreeRole(u32 degree) { return {.kind = RoleKind::Degree, .index = u16(degree)}; }
constexpr Role inkOn(Role fill) {
    fill.onKind = fill.kind;
    fill.kind = RoleKind::InkOn;
    return fill;
}

enum class Face : u8 {
    Text,
    TextBold,
    Mono,
    MonoBold
};  // Inter, JetBrains Mono; Chinese falls back to Noto Sans CJK SC
enum class Align : u8 { Left, Centre, Right };
enum class Dash : u8 {
    Solid,
    Dashed,  // 5-4: nothing read
    Dotted,  // 2-4: still to go
    Sparse,  // 2-5: next step
};

struct Stroke {
    Role role;
    f32 width = 1;
    Dash dash = Dash::Solid;
};  // of a rectangle: centered on its edge

// What lies under the mouse: a sentence to say and what a click does: move the cursor, choose which devices
// stand side by side, or set the view's own options (ViewState::options), run another variant. In the
// playground lanes are gripped and let go on an element.
struct Scene;
struct Hit {
    std::string hover;
    // Instead of `hover`, where a view has thousands of them: worded when it is asked for. The run must live
    // as long as the scene.
    std::function<std::string()> hoverLater{};
    std::function<Scene()>
        box{};  // a picture to show below it; run and text metrics must live as long as the scene
    std::optional<Cursor> go{};
    std::optional<std::vector<std::string>>
        devices{};                         // names of profiles, in the order in which they were chosen
    std::optional<ViewOptions> options{};  // ViewState::options
    std::optional<std::string> variant{};  // of the run's family, or FAMILY/VARIANT, to be run instead
    std::optional<std::string> beside{};   // a variant of the run's family, to be run and compared with it
    std::optional<std::string> view{};     // to be brought to the front
    std::optional<std::string>
        sweep{};                    // a parameter of the run's variant, to be swept; empty: to cancel that
    std::optional<u32> orders{};    // of the run's threads, so many, to be tried; 0: to cancel that
    bool fetchesToolkit = false;    // ptxas and nvdisasm
    bool modeled = false;           // `sweep` asks the cycle model for the times that nobody measured
    bool compared = false;          // `go` is a place in the run beside: ViewInput::compared
    std::optional<Lane> grip{};     // a click selects this lane; it can be dragged
    std::optional<s64> place{};     // the element that a lane gets when it is let go here
    std::optional<Cursor> click{};  // where a click without a drag leads, if not to `go`
    bool scrub = false;  // with the button held, `go` of whatever scrubbing hit the mouse reaches is followed
    enum class Select : u8 { Never, WithShift, Dragging };
    Select select =
        Select::Never;  // dragging from here to another such hit chooses the steps between their `go`s

    std::string text() const { return hoverLater ? hoverLater() : hover; }
};

struct RectMark {
    Rect rect;
    f32 radius = 0;
    Role fill{};
    Stroke stroke{};
    Role hatch{};
    f32 hatchPitch = 8;
};  // hatch: 45 degrees, one pixel
struct LineMark {
    Point from, to;
    Stroke stroke{};
    f32 arrow = 0;
};  // arrow: length of the head at `to`
struct CurveMark {
    std::array<Point, 4> points;
    Stroke stroke{};
    f32 arrow = 0;
};  // cubic Bezier
struct PolygonMark {
    std::vector<Point> points;
    Role fill{};
    Stroke stroke{};
};  // simple: edges do not cross
// Whether a line begins a text or goes on with the one above it, where the text is more than what is drawn.
enum class Flow : u8 { Unknown, Begins, GoesOn };

struct TextMark {
    Point at;
    std::string text;
    f32 size = 13;
    Face face = Face::Text;
    Align align = Align::Left;
    Role role{};
    Flow flow = Flow::Unknown;
};  // at: baseline
struct ClipMark {
    std::optional<Rect> rect;
};  // marks that follow are cut to it; none = end of the cut. Not nested

using Mark = std::variant<RectMark, LineMark, CurveMark, PolygonMark, TextMark, ClipMark>;

struct HitArea {
    Rect rect;
    Hit hit;
};

// How far what stands in a pane goes on beyond each of its edges, in pixels without the magnifier: an array
// of which a part has room.
struct Beyond {
    f32 left = 0, top = 0, right = 0, bottom = 0;
    bool isDown() const { return top > 0 || bottom > 0; }
    bool isAcross() const { return left > 0 || right > 0; }
};
struct Pane : Rect {
    Beyond beyond{};
};

// A cell that stands for one value of the run: of an element of memory what it holds at the cursor, unless
// the picture shows another one for it, such as the sum that a thread has not stored yet. Two pictures are
// compared by them.
struct ValueCell {
    enum class Of : u8 { Global, Shared, Thread };
    Rect rect{};
    Of of = Of::Global;
    u64 at = 0;   // address in that memory, or the thread's number
    u32 row = 0;  // of a picture that shows several values of one element, one after another: which
    std::optional<f64> value{};  // that is shown for it
};

// Rows of a warp's lanes that have no room together.
struct LaneList {
    Rect area;
    u32 first = 0, most = 0;  // on show from the first row; and at most
};

struct Scene {
    Size size;
    std::vector<Mark> marks;    // painter's order
    std::vector<HitArea> hits;  // later ones lie on top
    std::vector<ValueCell> cells{};
    std::string caption;       // where this is: "Block (x 1, y 1), phase 0 of 2"
    std::string sentence;      // what the cursor shows here, in plain words; empty: nothing to say
    std::vector<Rect> keys{};  // where it says what its marks mean: no figures of the run
    std::vector<Pane>
        panes{};  // that pan and zoom together, each from its own corner; none: the whole scene is one
    f32 hiddenBelow = 0;  // how much taller a view that scrolls would show all
    f32 textHeight = 0;   // of a page that is read: all of it, also where it scrolls; 0: it is no such page
    f32 mostZoom = 256;   // ViewState::zoom at which it is as large as it gets
    std::optional<LaneList> lanes{};  // what the wheel scrolls (ViewState::lanes)
    bool isSentenceAlone = false;     // it shows nothing but that
    bool animating = false;           // something is still under way at this ViewInput::motion: draw again

    const Hit* hitAt(Point p) const;
};

}  // namespace lockstep::viz
