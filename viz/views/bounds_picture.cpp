#include "viz/views/bounds_picture.h"

#include "base/text/counted.h"
#include "base/text/quantities.h"
#include "base/text/words.h"
#include "viz/marks/fitting_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace lockstep::viz {
namespace {

constexpr Words kTitle = english("Lower bounds: the least time each resource needs for this run");
constexpr Words kMeasured = english("measured");
constexpr Words kTitleOfSize =
    english("Lower bounds: the least time each resource needs for the current run ({0})");
constexpr Words kTimesTheBound = english("{0} times the lower bound");
constexpr Words kFromNearest = english("The run took {0} times the nearest bound: {1}.");
constexpr Words kBinds = english("the lower bound: the kernel cannot take less");
constexpr Words kBoundHover =
    english("{0}: {1} {2}, at no more than {3}, take at least {4}. This is a lower bound, not a prediction.");

constexpr Words kIfL2IsEmpty = english("{0} (if L2 is empty at first)");

constexpr Words kBillionsPerSecond = english("{0} billion per second"),
                kTrillionsPerSecond = english("{0} trillion per second");

constexpr f32 kRow = 22, kHead = 26;

// "4.80 TB/s", "1.98 billion wavefronts per second".
std::string speedText(const model::Bound& bound, Language language) {
    if (bound.unit == "bytes") return bytesPerSecondText(bound.perSecond);
    constexpr f64 kBillion = 1e9, kTrillion = 1e12;
    return bound.perSecond >= kTrillion
               ? say(language, kTrillionsPerSecond, threeDigits(bound.perSecond / kTrillion))
               : say(language, kBillionsPerSecond, threeDigits(bound.perSecond / kBillion));
}

const Words& unitOf(const std::string& unit) {
    static constexpr Words kBytes = english("bytes"), kWavefronts = english("behind a number", "wavefronts"),
                           kInstructions = english("warp instructions (those that no compiler can omit)"),
                           kOperations = english("thread instructions (an FMA counts as one)");
    if (unit == "bytes") return kBytes;
    if (unit == "wavefronts") return kWavefronts;
    return unit == "operations" ? kOperations : kInstructions;
}

constexpr TextStyle kNoteStyle{.size = type::kAxis, .role = role(RoleKind::TextSecond)};
constexpr f32 kNoteLine = 16;

// What the bars leave unsaid: on how many multiprocessors they stand, and why the measured time is far from
// them.
std::vector<std::string> notesOf(const BoundsPicture& picture, Language language) {
    std::vector<std::string> notes;
    const auto add = [&](const Message& note) {
        if (!note.empty()) notes.push_back(note.in(language));
    };
    if (const model::Bound* nearest = picture.bounds.binding(); nearest && picture.measuredMs)
        notes.push_back(say(language, kFromNearest, threeDigits(*picture.measuredMs / nearest->leastMs()),
                            model::resourceName(nearest->resource).in(language)));
    add(model::multiprocessorsText(picture.bounds));
    if (picture.measuredMs) {
        add(model::launchText(picture.bounds, *picture.measuredMs));
        add(model::tooFewWarpsText(picture.bounds, *picture.measuredMs));
    }
    add(model::storesText(picture.bounds));
    if (!picture.bounds.knowsL2) add(model::noBoundOfL2());
    return notes;
}

f32 linesOf(const Canvas& canvas, f32 width, const std::string& text, const TextStyle& style) {
    return f32(std::max<std::size_t>(1, canvas.wrap(text, width, style).size()));
}

std::string titleOf(const BoundsPicture& picture, Language language) {
    return picture.size.empty() ? say(language, kTitle) : say(language, kTitleOfSize, picture.size);
}
constexpr TextStyle kTitleStyle{.bold = true};
constexpr f32 kTitleLine = 18;

}  // namespace

f32 boundsHeight(const Canvas& canvas, f32 width, const BoundsPicture& picture, Language language) {
    f32 height = kHead + kTitleLine * (linesOf(canvas, width, titleOf(picture, language), kTitleStyle) - 1) +
                 kRow * f32(picture.bounds.all.size() + (picture.measuredMs ? 1 : 0)) + 4;
    for (const std::string& note : notesOf(picture, language))
        height += kNoteLine * linesOf(canvas, width, note, kNoteStyle);
    return height;
}

f32 drawBounds(Canvas& canvas, const Rect& area, const BoundsPicture& picture, Language language) {
    const model::Bounds& bounds = picture.bounds;
    const std::optional<f64> measuredMs = picture.measuredMs;
    if (!bounds.binding() || area.height < kHead + kRow || area.width < 260) return 0;
    f32 y = area.y + 8;
    y += kTitleLine * (f32(canvas.paragraph({area.x, y}, area.width, titleOf(picture, language), kTitleStyle,
                                            kTitleLine / type::kBody)) -
                       1);
    y += kHead - 8;
    const f64 most = std::max(measuredMs.value_or(0), bounds.binding()->leastMs());
    f32 times = 68;
    for (const model::Bound& bound : bounds.all)
        times =
            std::max(times, canvas.width(timeText(bound.leastMs()), {.size = type::kCode, .mono = true}) + 4);
    const f32 names = std::min(204.0f, area.width * 0.42f), bars = area.x + names + 8,
              wide = area.width - names - times - 16;
    const f32 nameWidth = names - 4;
    const auto drawRow = [&](const std::string& name, f64 ms, Role fill, bool bold, const std::string& note) {
        const f32 middle = y + kRow / 2, length = std::max(1.0f, wide * f32(ms / most));
        canvas.textWithin({area.x, middle}, nameWidth, name,
                          shrunkToFit(canvas, nameWidth, {.size = type::kCode, .bold = bold}, name));
        canvas.rect({bars, middle - 6, length, 12}, {.fill = fill, .radius = 2});
        const TextStyle small{.size = type::kAxis, .role = role(RoleKind::TextSecond)};
        if (!note.empty() && canvas.width(note, small) < wide - length - 12)
            canvas.text({bars + length + 8, middle}, note, small);
        canvas.textWithin({area.right(), middle}, times, timeText(ms),
                          {.size = type::kCode, .bold = bold, .mono = true, .align = Align::Right});
        y += kRow;
    };
    if (measuredMs) {
        canvas.hit(
            {area.x, y, area.width, kRow},
            {.hover = say(language, kTimesTheBound, threeDigits(*measuredMs / bounds.binding()->leastMs()))});
        drawRow(std::string(kMeasured.in(language)), *measuredMs, role(RoleKind::TextSecond), true, {});
    }
    for (const model::Bound& bound : bounds.all) {
        if (y + kRow > area.bottom()) return y - area.y;
        const bool binds = &bound == bounds.binding();
        const std::string name = model::resourceName(bound.resource).in(language);
        const std::string whose =
            bound.resource == "device_memory" ? say(language, kIfL2IsEmpty, name) : name;
        canvas.hit({area.x, y, area.width, kRow},
                   {.hover = say(language, kBoundHover, whose, grouped(u64(std::round(bound.amount))),
                                 unitOf(bound.unit).in(language), speedText(bound, language),
                                 timeText(bound.leastMs()))});
        drawRow(name, bound.leastMs(), role(binds ? RoleKind::Load : RoleKind::Wasted), binds,
                binds ? std::string(kBinds.in(language)) : std::string());
    }
    y += 4;
    for (const std::string& note : notesOf(picture, language)) {
        const f32 height = kNoteLine * linesOf(canvas, area.width, note, kNoteStyle);
        if (y + height > area.bottom() + 1) break;
        canvas.paragraph({area.x, y + kNoteLine / 2}, area.width, note, kNoteStyle, kNoteLine / type::kAxis);
        y += height;
    }
    return y - area.y;
}

}  // namespace lockstep::viz
