#include "viz/views/roofline.h"

#include "base/text/quantities.h"
#include "base/text/words.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/fitting_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::viz {
namespace {

constexpr Words kTitleBrief = english("Roofline");
constexpr Words kTitle = english("Roofline: measured performance against the GPU's limits");
constexpr Words kAcross = english("arithmetic intensity: FLOP per byte");
constexpr Words kUp = english("FLOP per second");
constexpr Words kMemoryRoof = english("device memory {0}");
constexpr Words kArithmeticRoof = english("arithmetic {0} TFLOP/s");
constexpr Words kCopyRoof = english("a copy reaches {0}");

constexpr f32 kLeastWidth = 360, kLeastPlot = 150, kLeastHeight = 170, kLabelPitch = 15, kDot = 4.5f;
const TextStyle kAxis{.size = type::kAxis, .mono = true, .role = role(RoleKind::TextSecond)};
const TextStyle kNote{.size = type::kAxis, .role = role(RoleKind::TextSecond)};

// "10 G", "1 T": operations per second at a power of ten.
std::string powerText(int exponent) {
    constexpr std::array kPrefixes{"", " k", " M", " G", " T", " P"};
    const int prefix = std::clamp(exponent / 3, 0, int(kPrefixes.size()) - 1);
    return fmt::format("{:g}{}", std::pow(10.0, exponent - 3 * prefix), kPrefixes[std::size_t(prefix)]);
}

// Both axes are logarithmic and end at whole powers of ten.
struct Scale {
    Rect plot;
    int x0 = 0, x1 = 1, y0 = 0, y1 = 1;
    f32 x(f64 value) const { return plot.x + plot.width * f32((std::log10(value) - x0) / (x1 - x0)); }
    f32 y(f64 value) const { return plot.bottom() - plot.height * f32((std::log10(value) - y0) / (y1 - y0)); }
    f64 least() const { return std::pow(10.0, x0); }
    f64 most() const { return std::pow(10.0, x1); }
};

Scale scaleOf(const Roofline& roofline, const Rect& plot) {
    const f64 ridge = roofline.operationsPerSecond / roofline.bytesPerSecond;
    f64 left = ridge, right = ridge, low = roofline.operationsPerSecond;
    for (const Roofline::Kernel& kernel : roofline.kernels) {
        left = std::min(left, kernel.operationsPerByte), right = std::max(right, kernel.operationsPerByte);
        low = std::min(low, kernel.operationsPerSecond);
    }
    Scale scale{.plot = plot};
    scale.x0 = int(std::floor(std::log10(left) - 0.2)), scale.x1 = int(std::ceil(std::log10(right) + 0.2));
    scale.y0 = int(std::floor(std::log10(low) - 0.1)),
    scale.y1 = int(std::ceil(std::log10(roofline.operationsPerSecond) + 0.1));
    return scale;
}

void drawAxes(Canvas& canvas, const Scale& s, Language language) {
    for (int power = s.x0; power <= s.x1; ++power) {
        const f32 x = s.x(std::pow(10.0, power));
        canvas.line({x, s.plot.y}, {x, s.plot.bottom()}, {role(RoleKind::Line, 0.6f)});
        TextStyle style = kAxis;
        style.align = Align::Centre;
        canvas.text({x, s.plot.bottom() + 10}, fmt::format("{:g}", std::pow(10.0, power)), style);
    }
    for (int power = s.y0; power <= s.y1; ++power) {
        const f32 y = s.y(std::pow(10.0, power));
        canvas.line({s.plot.x, y}, {s.plot.right(), y}, {role(RoleKind::Line, 0.6f)});
        TextStyle style = kAxis;
        style.align = Align::Right;
        canvas.text({s.plot.x - 6, y}, powerText(power), style);
    }
    canvas.text({s.plot.x, s.plot.bottom() + 25}, std::string(kAcross.in(language)),
                kNote);  // below the names too
}

// From the left edge, or from where it comes in from below, to where the arithmetic is the lower roof.
void drawSlope(Canvas& canvas, const Scale& s, const Roofline& roofline, f64 bytesPerSecond,
               const Stroke& stroke) {
    const f64 from = std::max(s.least(), std::pow(10.0, s.y0) / bytesPerSecond),
              to = std::min(s.most(), roofline.operationsPerSecond / bytesPerSecond);
    if (from < to)
        canvas.line({s.x(from), s.y(from * bytesPerSecond)}, {s.x(to), s.y(to * bytesPerSecond)}, stroke);
}

// The slopes' names: in the corner above them, where no kernel can be, each as far as the slope lets it; or,
// where that is too narrow for one of them, all above the plot.
struct SlopeName {
    std::string text;
    Stroke stroke;
};
std::vector<SlopeName> slopeNames(const Roofline& roofline, Language language) {
    std::vector<SlopeName> names{{say(language, kMemoryRoof, bytesPerSecondText(roofline.bytesPerSecond)),
                                  {role(RoleKind::Text), line::kTile}}};
    if (roofline.copyBytesPerSecond > 0)
        names.push_back({say(language, kCopyRoof, bytesPerSecondText(roofline.copyBytesPerSecond)),
                         {role(RoleKind::Edge), line::kNext, Dash::Dashed}});
    return names;
}

f32 yInCorner(const Scale& s, std::size_t i) { return s.plot.y + 10 + f32(i) * kLabelPitch; }

f32 roomInCorner(const Scale& s, const Roofline& roofline, std::size_t i) {
    const f64 operations = std::pow(10.0, s.y0 + f64(s.plot.bottom() - yInCorner(s, i) - kLabelPitch / 2) /
                                                     s.plot.height * (s.y1 - s.y0));
    return std::min(s.x(roofline.operationsPerSecond / roofline.bytesPerSecond),
                    s.x(std::max(s.least(), operations / roofline.bytesPerSecond))) -
           s.plot.x - 10;
}

bool fitInCorner(const Canvas& canvas, const Scale& s, const Roofline& roofline,
                 std::span<const SlopeName> names) {
    for (std::size_t i = 0; i < names.size(); ++i)
        if (canvas.width(names[i].text, kNote) > roomInCorner(s, roofline, i)) return false;
    return true;
}

void drawRoofs(Canvas& canvas, const Scale& s, const Roofline& roofline, Language language) {
    const f64 ridge = roofline.operationsPerSecond / roofline.bytesPerSecond;
    if (roofline.copyBytesPerSecond > 0)
        drawSlope(canvas, s, roofline, roofline.copyBytesPerSecond,
                  {role(RoleKind::Edge), line::kNext, Dash::Dashed});
    drawSlope(canvas, s, roofline, roofline.bytesPerSecond, {role(RoleKind::Text), line::kTile});
    canvas.line({s.x(ridge), s.y(roofline.operationsPerSecond)},
                {s.plot.right(), s.y(roofline.operationsPerSecond)}, {role(RoleKind::Text), line::kTile});
    TextStyle right = kNote;
    right.align = Align::Right;
    const std::string figure = fmt::format("{:.3g}", roofline.operationsPerSecond / 1e12);
    const std::string name = firstFitting(canvas, s.plot.width, right,
                                          {say(language, kArithmeticRoof, figure), figure + " TFLOP/s"});
    const f32 wide = std::min(canvas.width(name, right), s.plot.width),
              middle = s.y(roofline.operationsPerSecond) - 9;
    canvas.rect({s.plot.right() - wide - 2, middle - 7, wide + 2, 13},
                {.fill = role(RoleKind::Ground)});  // the grid makes way for it
    canvas.textWithin({s.plot.right(), middle}, s.plot.width, name, right);
}

// A dot for each kernel; the names stand in a column at the right, each with a line to its dot, in the dots'
// order from above.
void drawKernels(Canvas& canvas, const Scale& s, const Roofline& roofline, f32 names, f32 width) {
    std::vector<const Roofline::Kernel*> order;
    order.reserve(roofline.kernels.size());
    for (const Roofline::Kernel& kernel : roofline.kernels)
        order.push_back(&kernel);
    std::ranges::stable_sort(order, std::ranges::greater{},
                             [](const Roofline::Kernel* k) { return k->operationsPerSecond; });
    const std::size_t room = std::size_t(std::max(1.0f, s.plot.height / kLabelPitch));
    while (order.size() > room) {  // the slowest go first, never the current one
        const auto last =
            std::find_if(order.rbegin(), order.rend(), [](const Roofline::Kernel* k) { return !k->current; });
        order.erase(std::next(last).base());
    }
    f32 next = s.plot.y + kLabelPitch / 2;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Roofline::Kernel& kernel = *order[i];
        const Point dot{s.x(kernel.operationsPerByte), s.y(kernel.operationsPerSecond)};
        const f32 last =
            s.plot.bottom() - kLabelPitch * (f32(order.size() - i) - 0.5f);  // leaves room for those below
        const f32 y = std::min(std::max(next, dot.y), last);
        next = y + kLabelPitch;
        canvas.line(
            {dot.x + kDot, dot.y}, {names - 4, y},
            {role(kernel.current ? RoleKind::TextSecond : RoleKind::Edge, kernel.current ? 1.0f : 0.6f)});
        canvas.textWithin({names, y}, width, kernel.name,
                          {.size = type::kAxis,
                           .bold = kernel.current,
                           .role = role(kernel.current ? RoleKind::Text : RoleKind::TextSecond),
                           .flow = Flow::Begins});
        canvas.hit({names, y - kLabelPitch / 2, width, kLabelPitch}, {.hover = kernel.hover});
    }
    for (const Roofline::Kernel& kernel : roofline.kernels) {
        const Point dot{s.x(kernel.operationsPerByte), s.y(kernel.operationsPerSecond)};
        const Rect box{dot.x - kDot, dot.y - kDot, 2 * kDot, 2 * kDot};
        canvas.rect(box, {.fill = role(RoleKind::Load), .stroke = {role(RoleKind::Ground)}, .radius = kDot});
        if (kernel.current) cursorBox(canvas, box, kDot + 2);
        canvas.hit(box.inset(-3), {.hover = kernel.hover});
    }
}

}  // namespace

void drawRoofline(Canvas& canvas, const Rect& area, const Roofline& roofline, Language language) {
    if (area.width < kLeastWidth || area.height < kLeastHeight || roofline.kernels.empty() ||
        roofline.operationsPerSecond <= 0 || roofline.bytesPerSecond <= 0)
        return;
    const TextStyle title{.bold = true};
    canvas.textWithin(
        {area.x, area.y + 8}, area.width,
        firstFitting(canvas, area.width, title, {say(language, kTitle), say(language, kTitleBrief)}), title);
    f32 names = 0;
    for (const Roofline::Kernel& kernel : roofline.kernels)
        names = std::max(names, canvas.width(kernel.name, {.size = type::kAxis, .bold = true}));
    names = std::min(names + 4, std::max(area.width * 0.36f, area.width - 44 - 16 - kLeastPlot));
    const Rect plot{area.x + 44, area.y + 40, area.width - 44 - names - 16, area.height - 40 - 34};
    const std::vector<SlopeName> slopes = slopeNames(roofline, language);
    Scale scale = scaleOf(roofline, plot);
    const bool inCorner = fitInCorner(canvas, scale, roofline, slopes);
    canvas.hit({area.x, area.y + 20, plot.width, 14}, {.hover = say(language, kUp)});
    f32 x = area.x + canvas.textWithin({area.x, area.y + 27}, plot.width, kUp.in(language), kNote),
        above = area.y + 27;
    if (inCorner) {
        for (std::size_t i = 0; i < slopes.size(); ++i)
            canvas.text({plot.x + 6, yInCorner(scale, i)}, slopes[i].text, kNote);
    } else {
        constexpr f32 kSign = 24, kBetween = 20;
        for (const SlopeName& slope : slopes) {
            const f32 wide = kSign + 6 + canvas.width(slope.text, kNote);
            if (x + kBetween + wide <= area.right())
                x += kBetween;
            else
                x = area.x, above += kLabelPitch;
            canvas.line({x, above}, {x + kSign, above}, slope.stroke);
            canvas.text({x + kSign + 6, above}, slope.text, kNote);
            x += wide;
        }
        const f32 taken = above - area.y - 27;
        scale = scaleOf(roofline, {plot.x, plot.y + taken, plot.width, plot.height - taken});
    }
    drawAxes(canvas, scale, language);
    drawRoofs(canvas, scale, roofline, language);
    drawKernels(canvas, scale, roofline, plot.right() + 14, names);
}

}  // namespace lockstep::viz
