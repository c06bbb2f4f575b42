#include "viz/scene/scaled.h"

namespace lockstep::viz {
namespace {

struct Scaler {
    f32 by;

    void scale(Point& p) const { p.x *= by, p.y *= by; }
    void scale(Rect& r) const { r.x *= by, r.y *= by, r.width *= by, r.height *= by; }
    void operator()(RectMark& m) const {
        scale(m.rect), m.radius *= by, m.stroke.width *= by, m.hatchPitch *= by;
    }
    void operator()(LineMark& m) const { scale(m.from), scale(m.to), m.stroke.width *= by, m.arrow *= by; }
    void operator()(CurveMark& m) const {
        for (Point& p : m.points)
            scale(p);
        m.stroke.width *= by, m.arrow *= by;
    }
    void operator()(PolygonMark& m) const {
        for (Point& p : m.points)
            scale(p);
        m.stroke.width *= by;
    }
    void operator()(TextMark& m) const { scale(m.at), m.size *= by; }
    void operator()(ClipMark& m) const {
        if (m.rect) scale(*m.rect);
    }
};

}  // namespace

Scene scaled(Scene scene, f32 by) {
    if (by == 1) return scene;
    const Scaler scaler{by};
    scene.size = {scene.size.width * by, scene.size.height * by};
    for (Mark& mark : scene.marks)
        std::visit(scaler, mark);
    for (HitArea& hit : scene.hits)
        scaler.scale(hit.rect);
    for (Pane& pane : scene.panes)
        scaler.scale(pane);
    for (Rect& key : scene.keys)
        scaler.scale(key);
    for (ValueCell& cell : scene.cells)
        scaler.scale(cell.rect);
    return scene;
}

}  // namespace lockstep::viz
