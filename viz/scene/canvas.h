// What views draw on: a Scene being built, with the helpers that need text metrics.
#pragma once

#include "viz/scene/geometry.h"
#include "viz/scene/scene.h"
#include "viz/scene/text_metrics.h"
#include "viz/scene/tokens.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::viz {

struct RectStyle {
    Role fill{};
    Stroke stroke{};
    f32 radius = 0;
    Role hatch{};
    f32 hatchPitch = 8;
};
struct TextStyle {
    f32 size = type::kBody;
    bool bold = false, mono = false;
    Align align = Align::Left;
    Role role = viz::role(RoleKind::Text);
    Flow flow = Flow::Unknown;
    Face face() const {
        return mono ? (bold ? Face::MonoBold : Face::Mono) : (bold ? Face::TextBold : Face::Text);
    }
};

class Canvas {
public:
    Canvas(Size size, const TextMetrics& metrics) : metrics_(metrics) { scene_.size = size; }

    void rect(const Rect& rect, const RectStyle& style);
    void line(Point from, Point to, const Stroke& stroke, f32 arrow = 0) {
        scene_.marks.emplace_back(LineMark{from, to, stroke, arrow});
    }
    void curve(const Curve& points, const Stroke& stroke, f32 arrow = 0) {
        scene_.marks.emplace_back(CurveMark{points, stroke, arrow});
    }
    void polygon(std::vector<Point> points, Role fill, Stroke stroke = {}) {
        scene_.marks.emplace_back(PolygonMark{std::move(points), fill, stroke});
    }

    // `at`: the middle of the line's height; left end, center or right end by style.align. All return the
    // width drawn.
    f32 text(Point at, std::string text, const TextStyle& style = {});
    // Cut with an ellipsis where it would be wider; nothing where not even that fits.
    f32 textWithin(Point at, f32 maxWidth, std::string_view text, const TextStyle& style = {});
    // Wrapped; `at` is the middle of the first line. Returns the number of lines; the last of `maxLines` is
    // cut with an ellipsis.
    u32 paragraph(Point at, f32 maxWidth, std::string_view text, const TextStyle& style = {},
                  f32 lineHeight = type::kLineHeight, u32 maxLines = 99);

    f32 width(std::string_view text, const TextStyle& style = {}) const {
        return metrics_.width(text, style.size, style.face());
    }
    std::vector<std::string> wrap(std::string_view text, f32 maxWidth, const TextStyle& style) const;
    std::string cut(std::string_view text, f32 maxWidth, const TextStyle& style) const;

    void clip(const Rect& rect) { scene_.marks.emplace_back(ClipMark{rect}); }
    void unclip() { scene_.marks.emplace_back(ClipMark{}); }
    void hit(const Rect& rect, Hit hit) { scene_.hits.push_back({rect, std::move(hit)}); }

    // That cell stands for that value of the run.
    void cell(ValueCell cell) { scene_.cells.push_back(cell); }

    // Another picture, with what answers the mouse in it, moved to the area and cut to it.
    void include(Scene part, const Rect& area);
    // The same for the picture that this one is: its caption, panes and motion are this one's too. Returns
    // its sentence.
    std::string continueFrom(Scene part, const Rect& area);

    void lanes(const LaneList& list) { scene_.lanes = list; }

    // What stands there explains the picture's marks.
    void key(const Rect& rect) { scene_.keys.push_back(rect); }

    void caption(std::string_view text) { scene_.caption = text; }

    const Scene& scene() const { return scene_; }
    Size size() const { return scene_.size; }
    const TextMetrics& metrics() const { return metrics_; }
    Scene take(std::string sentence) && {
        scene_.sentence = std::move(sentence);
        return std::move(scene_);
    }

private:
    Scene scene_;
    const TextMetrics& metrics_;
};

}  // namespace lockstep::viz
