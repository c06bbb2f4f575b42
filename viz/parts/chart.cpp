#include "viz/parts/chart.h"

#include "viz/marks/cursor_box.h"
#include "viz/marks/diamond.h"
#include "viz/marks/fitting_text.h"
#include "viz/marks/frame.h"
#include "viz/marks/glyphs.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace lockstep::viz {
namespace {

constexpr f32 kMark = 4.5f, kMidMark = 3.5f, kSmallMark = 2.5f,
              kInner = 8 /* between the frame and the outermost points */, kLabelPitch = 15, kLabelLine = 12,
              kLabelGap = 14, kLabelShare = 0.48f, kRoomyMark = 9, kKeyFrom = 150 /* height of the area */,
              kNamesFrom = 110, kTickGap = 10, kTickLine = 18, kNameLine = 17, kTickPitch = 26;
constexpr std::size_t kManyNames = 6;
constexpr f32 kBehind = 0.4f;  // alpha of lines that the current one stands out from
const TextStyle kAxis{.size = type::kAxis, .mono = true, .role = role(RoleKind::TextSecond)};
const TextStyle kNote{.size = type::kAxis, .role = role(RoleKind::TextSecond)};

Role inkOf(PointSource source) {
    switch (source) {
        case PointSource::Measured: return role(RoleKind::Load);
        case PointSource::Recorded: return role(RoleKind::Store);
        case PointSource::Counted: return role(RoleKind::Text);
        case PointSource::Modeled: return role(RoleKind::TextSecond);
    }
    return {};
}

// A disc, a diamond, a hollow square, a hollow disc.
void drawMark(Canvas& canvas, Point at, PointSource source, f32 radius) {
    const Rect box{at.x - radius, at.y - radius, 2 * radius, 2 * radius};
    switch (source) {
        case PointSource::Measured:
            canvas.rect(box, {.fill = inkOf(source), .stroke = {role(RoleKind::Ground)}, .radius = radius});
            break;
        case PointSource::Recorded: diamond(canvas, at, inkOf(source), radius + 1); break;
        case PointSource::Counted:
            canvas.rect(box.inset(0.5f),
                        {.fill = role(RoleKind::Ground), .stroke = {inkOf(source), line::kUnread}});
            break;
        case PointSource::Modeled: drawModeledMark(canvas, at, radius); break;
    }
}

struct Axes {
    Rect plot, inner;  // the frame, and where points are
    AxisScale x, y;
    Point at(const ChartPoint& point) const {
        return {inner.x + inner.width * f32(x.share(point.x)),
                inner.bottom() - inner.height * f32(y.share(point.y))};
    }
    f32 across(f64 value) const { return inner.x + inner.width * f32(x.share(value)); }
    f32 up(f64 value) const { return inner.bottom() - inner.height * f32(y.share(value)); }
};

class Drawing {
public:
    Drawing(Canvas& canvas, const Rect& area, const Chart& chart)
        : canvas_(canvas), area_(area), chart_(chart) {
        for (const ChartSeries& series : chart.series) {
            if (series.points.empty()) continue;
            if (std::ranges::find(names_, series.name) == names_.end()) names_.push_back(series.name);
            for (const ChartPoint& point : series.points)
                xs_.push_back(point.x), ys_.push_back(point.y);
        }
    }

    void draw() {
        if (area_.width < kLeastChart.width || area_.height < kLeastChart.height || xs_.empty()) return;
        lay();
        drawFrame();
        // The run on show last, so that no other lies over it.
        for (const bool current : {false, true})
            for (const ChartSeries& series : chart_.series)
                if (series.isCurrent == current) drawLine(series);
        drawLabels();
        for (const bool current : {false, true})
            for (const ChartSeries& series : chart_.series)
                if (series.isCurrent == current) drawPoints(series);
    }

private:
    // The line's color: of its name, or of its source where there is only one name.
    Role hue(const ChartSeries& series) const {
        if (names_.size() == 1) return inkOf(series.source);
        const auto index = std::ranges::find(names_, series.name) - names_.begin();
        return warpRole(Warp{u32(index)});
    }
    TextStyle labelStyle(const std::string& name) const {
        const bool isCurrent = std::ranges::any_of(chart_.series, [&](const ChartSeries& series) {
            return series.isCurrent && series.name == name;
        });
        return {.size = type::kAxis,
                .bold = isCurrent,
                .role = role(isCurrent ? RoleKind::Text : RoleKind::TextSecond),
                .flow = Flow::Begins};
    }

    void lay() {
        const std::vector<KeyRow> keys = area_.height >= kKeyFrom ? keyRows() : std::vector<KeyRow>{};
        f32 bottom = area_.bottom();
        if (!keys.empty()) {
            const std::vector<std::span<const KeyRow>> lines = keyLines(canvas_, area_.width, keys);
            bottom -= kNameLine * f32(lines.size()) + 4;
            f32 y = bottom + 4 + kNameLine / 2;
            for (const std::span<const KeyRow> line : lines) {
                keyRow(canvas_, {area_.x, y}, area_.width, line);
                y += kNameLine;
            }
        }
        const bool hasNames = area_.height >= kNamesFrom;
        f32 top = area_.y + 6;
        if (hasNames) {
            canvas_.textWithin({area_.x, area_.y + 7}, area_.width, chart_.up,
                               shrunkToFit(canvas_, area_.width, kNote, chart_.up));
            top = area_.y + 20;
        }
        const f32 below = kTickLine + (hasNames ? kNameLine : 0);
        const f32 height = bottom - top - below;
        axes_.x = parameterScale(xs_, chart_.x);
        axes_.y = metricScale(ys_, chart_.y, std::size_t(std::clamp(height / kTickPitch, 2.0f, 9.0f)));
        f32 left = 0;
        for (const f64 tick : axes_.y.ticks)
            left = std::max(left, canvas_.width(chart_.tick(tick), kAxis));
        left += 8;
        labels_ = 0;
        for (const std::string& name : names_)
            labels_ = std::max(labels_, canvas_.width(name, labelStyle(name)));
        labels_ = std::min(labels_ + 2, area_.width * kLabelShare);
        axes_.plot = {area_.x + left, top, area_.width - left - labels_ - kLabelGap, height};
        axes_.inner = axes_.plot.inset(kInner);
        axes_.inner.height = axes_.plot.bottom() - (axes_.y.isLog ? kInner : 0) - axes_.inner.y;
        if (hasNames)
            canvas_.textWithin({axes_.plot.x, axes_.plot.bottom() + kTickLine + 7},
                               area_.right() - axes_.plot.x, chart_.across, kNote);
    }

    std::vector<KeyRow> keyRows() const {
        std::vector<KeyRow> rows;
        const auto has = [&](PointSource source) {
            return std::ranges::any_of(chart_.series, [&](const ChartSeries& series) {
                return series.source == source && !series.points.empty();
            });
        };
        for (const auto& [source, text] : {std::pair(PointSource::Measured, &chart_.measured),
                                           std::pair(PointSource::Recorded, &chart_.recorded),
                                           std::pair(PointSource::Counted, &chart_.counted),
                                           std::pair(PointSource::Modeled, &chart_.modeled)})
            if (has(source) && !text->empty())
                rows.push_back(
                    {[source = source](Canvas& canvas, Point at) { drawMark(canvas, at, source, kMark); },
                     *text});
        const bool hasWrong = std::ranges::any_of(chart_.series, [](const ChartSeries& series) {
            return std::ranges::any_of(series.points, &ChartPoint::isWrong);
        });
        if (hasWrong && !chart_.wrong.empty())
            rows.push_back(
                {[](Canvas& canvas, Point at) { cross(canvas, at, role(RoleKind::Finding)); }, chart_.wrong});
        return rows;
    }

    void drawFrame() {
        const Rect& plot = axes_.plot;
        f32 last = area_.bottom() + kTickPitch;
        for (const f64 tick : axes_.y.ticks) {
            const f32 y = axes_.up(tick);
            canvas_.line({plot.x, y}, {plot.right(), y}, {role(RoleKind::Line, 0.6f)});
            if (last - y < kTickLine - 4) continue;
            TextStyle style = kAxis;
            style.align = Align::Right;
            canvas_.text({plot.x - 6, y}, chart_.tick(tick), style);
            last = y;
        }
        canvas_.line({plot.x, plot.bottom()}, {plot.right(), plot.bottom()}, {role(RoleKind::Edge)});
        canvas_.line({plot.x, plot.y}, {plot.x, plot.bottom()}, {role(RoleKind::Edge)});
        // The first and the last value first; of the others those that have room.
        std::vector<Rect> taken;
        const auto put = [&](f64 tick) {
            const std::string text = parameterTickText(tick);
            const f32 x = axes_.across(tick), wide = canvas_.width(text, kAxis);
            const Rect box{x - wide / 2 - kTickGap / 2, plot.bottom(), wide + kTickGap, kTickLine};
            if (std::ranges::any_of(
                    taken, [&](const Rect& other) { return other.x < box.right() && box.x < other.right(); }))
                return;
            taken.push_back(box);
            canvas_.line({x, plot.bottom()}, {x, plot.bottom() + 4}, {role(RoleKind::Edge)});
            TextStyle style = kAxis;
            style.align = Align::Centre;
            canvas_.text({x, plot.bottom() + 11}, text, style);
        };
        if (axes_.x.ticks.empty()) return;
        put(axes_.x.ticks.front());
        put(axes_.x.ticks.back());
        for (const f64 tick : axes_.x.ticks)
            put(tick);
    }

    // Points that another series of the name has more of are not joined: what lies between them is known.
    // Modeled points lie between measured ones, and are joined by themselves.
    bool isJoined(const ChartSeries& series) const {
        return series.source == PointSource::Modeled ||
               std::ranges::none_of(chart_.series, [&](const ChartSeries& other) {
                   return &other != &series && other.name == series.name &&
                          other.source != PointSource::Modeled && other.points.size() > series.points.size();
               });
    }

    void drawLine(const ChartSeries& series) {
        if (!isJoined(series)) return;
        const f32 width = series.isCurrent ? line::kTile : line::kUnread;
        Role color = hue(series);
        if (isBehind(series)) color.alpha = kBehind;
        const Dash dash = series.source == PointSource::Modeled ? Dash::Dashed : Dash::Solid;
        for (std::size_t i = 1; i < series.points.size(); ++i)
            canvas_.line(axes_.at(series.points[i - 1]), axes_.at(series.points[i]), {color, width, dash});
    }

    // Among many, the run on show stands out.
    bool isBehind(const ChartSeries& series) const {
        return names_.size() > kManyNames && !series.isCurrent &&
               std::ranges::any_of(chart_.series, &ChartSeries::isCurrent);
    }

    f32 markRadius(const ChartSeries& series) const {
        if (isBehind(series)) return kSmallMark;
        if (f32(series.points.size()) * kRoomyMark > axes_.inner.width) return kSmallMark;
        return names_.size() > kManyNames ? kMidMark : kMark;
    }

    void drawPoints(const ChartSeries& series) {
        const f32 radius = markRadius(series);
        for (const ChartPoint& point : series.points) {
            const Point at = axes_.at(point);
            const Rect box{at.x - radius, at.y - radius, 2 * radius, 2 * radius};
            drawError(point, at.x);
            drawMark(canvas_, at, series.source, radius);
            if (point.isWrong) cross(canvas_, at, role(RoleKind::Finding));
            if (point.isCurrent) cursorBox(canvas_, box.inset(-2), radius + 4);
            canvas_.hit(box.inset(-3), {.hover = point.hover});
        }
    }

    // From the lowest to the highest that the value may be.
    void drawError(const ChartPoint& point, f32 x) {
        if (!(point.low < point.high)) return;
        const auto at = [&](f64 y) { return std::clamp(axes_.up(y), axes_.plot.y, axes_.plot.bottom()); };
        drawModeledError(canvas_, {x, at(point.low)}, {x, at(point.high)});
    }

    // The names at the right, in the order of their lines' ends from above, each with a line to it.
    struct Label {
        const std::string* name = nullptr;
        const ChartSeries* series = nullptr;  // the one that ends furthest right
        std::vector<std::string> lines{};
    };
    void drawLabels() {
        std::vector<Label> labels;
        for (const std::string& name : names_) {
            Label label{&name, nullptr, {}};
            for (const ChartSeries& series : chart_.series)
                if (series.name == name && !series.points.empty() &&
                    (!label.series || series.points.back().x > label.series->points.back().x))
                    label.series = &series;
            labels.push_back(label);
        }
        std::ranges::stable_sort(labels, {},
                                 [&](const Label& label) { return axes_.at(label.series->points.back()).y; });
        // Where not all have room, the lowest go first, never the current one.
        f32 tall = 0;
        for (Label& label : labels) {
            label.lines = linesOf(*label.name);
            tall += heightOf(label);
        }
        while (tall > axes_.plot.height && labels.size() > 1) {
            const auto last = std::find_if(labels.rbegin(), labels.rend(),
                                           [](const Label& label) { return !label.series->isCurrent; });
            if (last == labels.rend()) break;
            tall -= heightOf(*last);
            labels.erase(std::next(last).base());
        }
        f32 next = axes_.plot.y;
        const f32 x = axes_.plot.right() + kLabelGap;
        for (const Label& label : labels) {
            const Point end = axes_.at(label.series->points.back());
            const f32 height = heightOf(label), last = axes_.plot.bottom() - tall;
            const f32 top = std::max(axes_.plot.y, std::min(std::max(next, end.y - height / 2), last));
            next = top + height;
            tall -= height;
            canvas_.line(end, {x - 4, top + height / 2}, {hue(*label.series), 1, Dash::Dotted});
            TextStyle style = labelStyle(*label.name);
            f32 y = top + kLabelPitch / 2;
            for (const std::string& line : label.lines) {
                canvas_.textWithin({x, y}, labels_, line, style);
                style.flow = Flow::GoesOn;
                y += kLabelLine;
            }
            canvas_.hit({x, top, labels_, height}, {.hover = *label.name});
        }
    }
    static f32 heightOf(const Label& label) { return kLabelPitch + kLabelLine * f32(label.lines.size() - 1); }
    // In one line, else in two.
    std::vector<std::string> linesOf(const std::string& name) const {
        const TextStyle style = labelStyle(name);
        if (canvas_.width(name, style) <= labels_) return {name};
        std::vector<std::string> lines = canvas_.wrap(name, labels_, style);
        for (std::size_t i = 2; i < lines.size(); ++i)
            lines[1] += " " + lines[i];
        lines.resize(std::min<std::size_t>(lines.size(), 2));
        return lines;
    }

    Canvas& canvas_;
    const Rect area_;
    const Chart& chart_;
    std::vector<std::string> names_;
    std::vector<f64> xs_, ys_;
    Axes axes_;
    f32 labels_ = 0;  // width of their column
};

}  // namespace

void drawModeledMark(Canvas& canvas, Point at, f32 radius) {
    canvas.rect({at.x - radius, at.y - radius, 2 * radius, 2 * radius},
                {.fill = role(RoleKind::Ground),
                 .stroke = {inkOf(PointSource::Modeled), line::kUnread},
                 .radius = radius});
}

void drawModeledError(Canvas& canvas, Point from, Point to) {
    constexpr f32 kCap = 3;
    const Stroke stroke{inkOf(PointSource::Modeled)};
    const f32 length = std::hypot(to.x - from.x, to.y - from.y);
    if (length <= 0) return;
    const Point cap{kCap * (to.y - from.y) / length, kCap * (to.x - from.x) / length};
    canvas.line(from, to, stroke);
    for (const Point end : {from, to})
        canvas.line({end.x - cap.x, end.y - cap.y}, {end.x + cap.x, end.y + cap.y}, stroke);
}

void drawChart(Canvas& canvas, const Rect& area, const Chart& chart) { Drawing(canvas, area, chart).draw(); }

}  // namespace lockstep::viz
