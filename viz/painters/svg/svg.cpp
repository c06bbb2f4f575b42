// Writes shapes as SVG elements. Numbers have at most two decimals, so that texts compare.
#include "viz/painters/svg/svg.h"

#include "viz/scene/geometry.h"
#include "viz/scene/tokens.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

namespace lockstep::viz {
namespace {

std::string number(f32 value) {
    const long hundredths = std::lround(f64(value) * 100);
    std::string text = fmt::format("{}{}", hundredths < 0 ? "-" : "", std::labs(hundredths) / 100);
    if (const long rest = std::labs(hundredths) % 100)
        text += rest % 10 ? fmt::format(".{:02}", rest) : fmt::format(".{}", rest / 10);
    return text;
}

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else if (u8(c) < 0x20)
            out += ' ';  // control characters are not XML
        else
            out += c;
    }
    return out;
}

std::string hex(Color c) { return fmt::format("#{:02X}{:02X}{:02X}", c.r, c.g, c.b); }

class SvgWriter {
public:
    SvgWriter(const Scene& scene, const Theme& theme) : scene_(scene), theme_(theme) {}

    std::string write(std::string_view description) {
        out_ = fmt::format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
            "style=\"white-space:pre;font-kerning:none;font-variant-ligatures:none\">\n",
            number(scene_.size.width), number(scene_.size.height));
        if (!description.empty()) out_ += fmt::format("<desc>{}</desc>\n", escaped(description));
        out_ += fmt::format("<rect width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", number(scene_.size.width),
                            number(scene_.size.height), hex(theme_.ground));
        for (const Mark& mark : scene_.marks)
            std::visit([&](const auto& shape) { draw(shape); }, mark);
        draw(ClipMark{});
        for (const HitArea& area : scene_.hits)
            if (const std::string hover = area.hit.text(); !hover.empty())
                out_ += fmt::format("<rect {} fill=\"#000\" fill-opacity=\"0\"><title>{}</title></rect>\n",
                                    box(area.rect), escaped(hover));
        return out_ + "</svg>\n";
    }

private:
    static std::string box(const Rect& r) {
        return fmt::format("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", number(r.x), number(r.y),
                           number(std::max(0.0f, r.width)), number(std::max(0.0f, r.height)));
    }
    std::string fill(const Role& role) const {
        const Color c = colorOf(role, theme_);
        if (c.alpha <= 0) return " fill=\"none\"";
        return fmt::format(" fill=\"{}\"", hex(c)) +
               (c.alpha < 1 ? fmt::format(" fill-opacity=\"{}\"", number(c.alpha)) : "");
    }
    std::string stroke(const Stroke& stroke) const {
        const Color c = colorOf(stroke.role, theme_);
        if (c.alpha <= 0 || stroke.width <= 0) return "";
        std::string text = fmt::format(" stroke=\"{}\" stroke-width=\"{}\"", hex(c), number(stroke.width));
        if (c.alpha < 1) text += fmt::format(" stroke-opacity=\"{}\"", number(c.alpha));
        if (const auto dashes = dashPattern(stroke.dash); !dashes.empty())
            text += fmt::format(" stroke-dasharray=\"{} {}\"", number(dashes[0]), number(dashes[1]));
        return text;
    }
    static std::string points(std::span<const Point> points) {
        std::string text;
        for (const Point p : points)
            text += fmt::format("{}{},{}", text.empty() ? "" : " ", number(p.x), number(p.y));
        return text;
    }
    void head(Point from, Point to, f32 length, const Role& role) {
        if (length > 0)
            out_ +=
                fmt::format("<polygon points=\"{}\"{}/>\n", points(arrowHead(from, to, length)), fill(role));
    }

    void draw(const RectMark& m) {
        const std::string round = m.radius > 0 ? fmt::format(" rx=\"{}\"", number(m.radius)) : "";
        const bool hatched = colorOf(m.hatch, theme_).alpha > 0;
        if (hatched) {
            if (m.fill.kind != RoleKind::None)
                out_ += fmt::format("<rect {}{}{}/>\n", box(m.rect), round, fill(m.fill));
            hatch(m);
            if (m.stroke.role.kind != RoleKind::None)
                out_ += fmt::format("<rect {}{} fill=\"none\"{}/>\n", box(m.rect), round, stroke(m.stroke));
            return;
        }
        out_ += fmt::format("<rect {}{}{}{}/>\n", box(m.rect), round, fill(m.fill), stroke(m.stroke));
    }
    // Lines from bottom left to top right, cut to the rectangle; one path for all of them.
    void hatch(const RectMark& m) {
        std::string path;
        const Rect r = m.rect.inset(1);
        for (f32 d = m.hatchPitch / 2; d < r.width + r.height; d += m.hatchPitch)
            path += fmt::format(
                "M{} {}L{} {}", number(r.x + std::min(d, r.width)), number(r.y + std::max(0.0f, d - r.width)),
                number(r.x + std::max(0.0f, d - r.height)), number(r.y + std::min(d, r.height)));
        if (!path.empty())
            out_ += fmt::format("<path d=\"{}\" fill=\"none\"{}/>\n", path, stroke({m.hatch, 1}));
    }
    void draw(const LineMark& m) {
        out_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"{}/>\n", number(m.from.x),
                            number(m.from.y), number(m.to.x), number(m.to.y), stroke(m.stroke));
        head(m.from, m.to, m.arrow, m.stroke.role);
    }
    void draw(const CurveMark& m) {
        const auto& p = m.points;
        out_ += fmt::format("<path d=\"M{} {}C{} {} {} {} {} {}\" fill=\"none\"{}/>\n", number(p[0].x),
                            number(p[0].y), number(p[1].x), number(p[1].y), number(p[2].x), number(p[2].y),
                            number(p[3].x), number(p[3].y), stroke(m.stroke));
        head(pointAt(p, 0.95f), p[3], m.arrow, m.stroke.role);
    }
    void draw(const PolygonMark& m) {
        out_ +=
            fmt::format("<polygon points=\"{}\"{}{}/>\n", points(m.points), fill(m.fill), stroke(m.stroke));
    }
    void draw(const TextMark& m) {
        const bool mono = m.face == Face::Mono || m.face == Face::MonoBold,
                   bold = m.face == Face::TextBold || m.face == Face::MonoBold;
        const std::string_view anchor = m.align == Align::Centre  ? " text-anchor=\"middle\""
                                        : m.align == Align::Right ? " text-anchor=\"end\""
                                                                  : "";
        out_ += fmt::format("<text x=\"{}\" y=\"{}\" font-family='{}' font-size=\"{}\"{}{}{}>{}</text>\n",
                            number(m.at.x), number(m.at.y),
                            mono ? "\"JetBrains Mono\",\"Noto Sans CJK SC\",monospace"
                                 : "Inter,\"Noto Sans CJK SC\",sans-serif",
                            number(m.size), bold ? " font-weight=\"600\"" : "", anchor, fill(m.role),
                            escaped(m.text));
    }
    void draw(const ClipMark& m) {
        if (clipped_) out_ += "</g>\n";
        clipped_ = m.rect.has_value();
        if (!clipped_) return;
        out_ += fmt::format("<clipPath id=\"c{0}\"><rect {1}/></clipPath>\n<g clip-path=\"url(#c{0})\">\n",
                            clips_, box(*m.rect));
        ++clips_;
    }

    const Scene& scene_;
    const Theme& theme_;
    std::string out_;
    bool clipped_ = false;
    u32 clips_ = 0;
};

}  // namespace

std::string toSvg(const Scene& scene, const Theme& theme, std::string_view description) {
    return SvgWriter(scene, theme).write(description);
}

}  // namespace lockstep::viz
