// A stage under the magnifier: what stands at p without it, measured from its area's corner, is drawn at p *
// zoom + pan.
#pragma once

#include "viz/scene/scene.h"
#include "viz/view.h"

#include <algorithm>
#include <utility>

namespace lockstep::viz {

struct Zoomed {
    f32 zoom = 1;
    Rect area;
    Point pan{};

    Zoomed() = default;
    // Limited so that the magnified area covers the area itself, as far as nothing stands beyond its edges:
    // something stays in view.
    Zoomed(const ViewState& state, const Pane& whole)
        : zoom(std::max(1.0f, state.zoom)), area(whole), pan(limited(state.pan, zoom, whole)) {}

    static Point limited(Point pan, f32 zoom, const Pane& pane) {
        const Beyond& more = pane.beyond;
        return {
            std::clamp(pan.x, std::min(0.0f, pane.width * (1 - zoom)) - more.right * zoom, more.left * zoom),
            std::clamp(pan.y, std::min(0.0f, pane.height * (1 - zoom)) - more.bottom * zoom,
                       more.top * zoom)};
    }
    bool on() const { return zoom > 1; }
    f32 atX(f32 x) const { return area.x + (x - area.x) * zoom + pan.x; }
    f32 atY(f32 y) const { return area.y + (y - area.y) * zoom + pan.y; }
    Point at(Point p) const { return {atX(p.x), atY(p.y)}; }
    Rect at(const Rect& r) const { return {atX(r.x), atY(r.y), r.width * zoom, r.height * zoom}; }

    // What answers the mouse, of the hits with these numbers, where it can be seen and nowhere else; and the
    // same of cells.
    void cutHits(Scene& scene, std::size_t first, std::size_t end) const {
        for (std::size_t i = first; i < end; ++i)
            cut(scene.hits[i].rect);
    }
    void cutCells(Scene& scene, std::size_t first, std::size_t end) const {
        for (std::size_t i = first; i < end; ++i)
            cut(scene.cells[i].rect);
    }

private:
    void cut(Rect& r) const {
        const f32 x = std::max(r.x, area.x), y = std::max(r.y, area.y);
        r = {x, y, std::max(0.0f, std::min(r.right(), area.right()) - x),
             std::max(0.0f, std::min(r.bottom(), area.bottom()) - y)};
    }
};

// Of `count` cells of that size in a row that begins at `origin`: first and end of those between the two
// places.
inline std::pair<u64, u64> cellsBetween(f32 origin, f32 cell, u64 count, f32 from, f32 to) {
    const auto index = [&](f32 place) { return u64(std::clamp((place - origin) / cell, 0.0f, f32(count))); };
    const u64 first = index(from);
    return {first, std::max(first, std::min(count, index(to) + 1))};
}

}  // namespace lockstep::viz
