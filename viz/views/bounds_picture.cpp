#include "viz/views/bounds_picture.h"

#include <algorithm>

#include <fmt/format.h>

#include "viz/marks/fitting_text.h"
#include "viz/words.h"

namespace lockstep::viz {
namespace {

constexpr Words kTitle{"Bounds: the least time each resource needs for this run", "下界：每种资源完成这次运行至少需要的时间"};
constexpr Words kMeasured{"measured", "实测"};
constexpr Words kTimesTheBound{"{0} times the largest bound", "最大下界的 {0} 倍"};
constexpr Words kBinds{"binds: it cannot be faster", "起决定作用：不可能更快"};
constexpr Words kBoundHover{"{0}: {1} of {2} at most {3} a second need {4}. A bound, not a prediction.", "{0}：{1} {2}，每秒至多 {3}，需要 {4}。这是下界，不是预测。"};

constexpr f32 kRow = 22, kHead = 26;

std::string amountText(f64 amount) { return amount < 1e6 ? fmt::format("{:.0f}", amount) : fmt::format("{:.3g}", amount); }

const Words& unitOf(const std::string& unit) {
    static constexpr Words kBytes{"bytes", "字节"}, kWavefronts{"wavefronts", "个波前"}, kInstructions{"warp instructions", "条线程束指令"}, kOperations{"operations", "次运算"};
    if (unit == "bytes") return kBytes;
    if (unit == "wavefronts") return kWavefronts;
    return unit == "operations" ? kOperations : kInstructions;
}

}  // namespace

f32 boundsHeight(const model::Bounds& bounds) { return kHead + kRow * f32(bounds.all.size() + (bounds.knowsL2 ? 1 : 2)); }

f32 drawBounds(Canvas& canvas, const Rect& area, const model::Bounds& bounds, std::optional<f64> measuredMs, Language language) {
    if (!bounds.binding() || area.height < kHead + kRow || area.width < 260) return 0;
    f32 y = area.y + 8;
    canvas.textWithin({area.x, y}, area.width, kTitle.in(language), {.bold = true});
    y += kHead - 8;
    const f64 most = std::max(measuredMs.value_or(0), bounds.binding()->leastMs());
    const f32 names = std::min(204.0f, area.width * 0.42f), times = 68, bars = area.x + names + 8, wide = area.width - names - times - 16;
    const f32 nameWidth = names - 4;
    const auto drawRow = [&](const std::string& name, f64 ms, Role fill, bool bold, const std::string& note) {
        const f32 middle = y + kRow / 2, length = std::max(1.0f, wide * f32(ms / most));
        canvas.textWithin({area.x, middle}, nameWidth, name, shrunkToFit(canvas, nameWidth, {.size = type::kCode, .bold = bold}, name));
        canvas.rect({bars, middle - 6, length, 12}, {.fill = fill, .radius = 2});
        const TextStyle small{.size = type::kAxis, .role = role(RoleKind::TextSecond)};
        if (!note.empty() && canvas.width(note, small) < wide - length - 12) canvas.text({bars + length + 8, middle}, note, small);
        canvas.textWithin({area.right(), middle}, times, model::timeText(ms), {.size = type::kCode, .bold = bold, .mono = true, .align = Align::Right});
        y += kRow;
    };
    if (measuredMs) {
        const std::string note = say(language, kTimesTheBound, fmt::format("{:.3g}", *measuredMs / bounds.binding()->leastMs()));
        canvas.hit({area.x, y, area.width, kRow}, {.hover = note});
        drawRow(std::string(kMeasured.in(language)), *measuredMs, role(RoleKind::TextSecond), true, note);
    }
    for (const model::Bound& bound : bounds.all) {
        if (y + kRow > area.bottom()) return y - area.y;
        const bool binds = &bound == bounds.binding();
        const std::string name = model::resourceName(bound.resource).in(language);
        canvas.hit({area.x, y, area.width, kRow}, {.hover = say(language, kBoundHover, name, amountText(bound.amount), unitOf(bound.unit).in(language), amountText(bound.perSecond), model::timeText(bound.leastMs()))});
        drawRow(name, bound.leastMs(), role(binds ? RoleKind::Load : RoleKind::Wasted), binds, binds ? std::string(kBinds.in(language)) : std::string());
    }
    if (!bounds.knowsL2 && y + kRow <= area.bottom()) {
        canvas.textWithin({area.x, y + kRow / 2}, area.width, model::noBoundOfL2().in(language), {.size = type::kAxis, .role = role(RoleKind::TextThird)});
        y += kRow;
    }
    return y - area.y;
}

}  // namespace lockstep::viz
