#include "viz/access/register_box.h"

#include "viz/access/register_text.h"
#include "viz/cursor/lookup.h"
#include "viz/marks/fitting_text.h"
#include "viz/messages.h"

#include <algorithm>

namespace lockstep::viz {
namespace {

constexpr Words kAfterStep = english("Warp {0} after step {1} of {2}");
constexpr Words kOffHere = english("inactive at this step: {0:lane|lanes} {1}");
constexpr Words kManyOffHere = english("{0} {0:lane|lanes} inactive at this step");
constexpr Words kInSomeLanes = english("{0} in {1} {1:lane|lanes}");
constexpr Words kNotWrittenInSome = english("not written yet in {0} {0:lane|lanes}");
constexpr Words kInAllLanes = english("{0} in all {1} {1:lane|lanes}");
constexpr Words kInLanes = english("{0} in {1:lane|lanes} {2}");
constexpr Words kALane = english("{0} per lane");
constexpr Words kBytesOn = english("{0} {0:byte|bytes} per lane");
constexpr Words kNotWritten = english("not written yet");
constexpr Words kNotWrittenIn = english("not written yet in {0:lane|lanes} {1}");
constexpr Words kNotKnown =
    english("not known: the record does not tell it (a clock, a function of the system or the like)");
constexpr Words kAllDiffer = english("{0} different values");
constexpr Words kMostlySo = english("{0} in most lanes, framed where it is not");
constexpr Words kCannotTell = english("What the registers hold cannot be told: {0}");
constexpr Words kMoreRegisters = english("and {0} more {0:register|registers}");
constexpr Words kBetween = english("; ");

constexpr f32 kWidest = 560, kEdge = 10, kTitle = 20, kRow = 18, kGridRow = 16, kNames = 58, kGap = 6;
constexpr f32 kLowBox = 200;  // below, what does not fit as a whole has a line for each register
constexpr u32 kColumns = 8, kMostListed = 3;

class Box {
public:
    Box(const run::Run& run, const Cursor& cursor, const CursorContext& here, Language language,
        const TextMetrics& metrics, Size most)
        : run_(run),
          here_(here),
          launch_(cursor.launch),
          lane_(cursor.lane),
          language_(language),
          most_(most),
          width_(std::min(kWidest, most.width)),
          canvas_({width_, most.height}, metrics) {
        exist_ = LaneMask::firstLanes(explain::lanesOf(*here.block, cursor.warp));
    }

    Scene draw(const Cursor& cursor, const std::vector<explain::LaneRegister>& registers) {
        f32 y = kEdge;
        const TextStyle style{.size = type::kCode, .bold = true};
        const std::string title =
            say(language_, kAfterStep, cursor.warp.value, cursor.step + 1, here_.warp->steps.size());
        const LaneMask off = exist_ & ~here_.step->active;
        const std::string withOff =
            off.empty() || off == exist_
                ? title
                : firstFitting(canvas_, width_ - 2 * kEdge, style,
                               {title + " · " +
                                    say(language_, kOffHere, off.count(), explain::lanesText(off, language_)),
                                title + " · " + say(language_, kManyOffHere, off.count())});
        canvas_.textWithin({kEdge, y + kTitle / 2}, width_ - 2 * kEdge, withOff, style);
        y += kTitle + 2;
        f32 whole = y + kEdge;
        for (const explain::LaneRegister& r : registers)
            whole += heightOf(r);
        const bool isBrief = whole > most_.height && most_.height < kLowBox;
        std::size_t drawn = 0;
        for (const explain::LaneRegister& r : registers) {
            const f32 height = isBrief ? kRow : heightOf(r);
            if (y + height + (drawn + 1 < registers.size() ? kRow : 0) + kEdge > most_.height) break;
            if (isBrief)
                drawBriefly(r, y);
            else
                drawRow(r, explain::groupsOf(r), y);
            y += height;
            ++drawn;
        }
        if (isBrief) y += kGap;
        if (drawn < registers.size()) {
            canvas_.textWithin({kEdge, y + kRow / 2}, width_ - 2 * kEdge,
                               say(language_, kMoreRegisters, registers.size() - drawn), second());
            y += kRow;
        }
        Scene scene = std::move(canvas_).take({});
        scene.size.height = y + kEdge - kGap;
        return scene;
    }

private:
    static TextStyle second() { return {.size = type::kCode, .role = role(RoleKind::TextSecond)}; }
    f32 heightOf(const explain::LaneRegister& r) const {
        return 2 * kRow + (wantsGrid(r, explain::groupsOf(r)) ? kGridRow * f32(gridRows()) : 0) + kGap;
    }
    u32 gridRows() const { return (u32(exist_.count()) + kColumns - 1) / kColumns; }

    std::string valueOf(const explain::LaneRegister& r, u32 lane, u32 characters) const {
        return registerText(run_, launch_, r, Lane{lane}, characters, language_);
    }

    // Where a sentence says it, there is no need of 32 numbers.
    bool wantsGrid(const explain::LaneRegister& r, const explain::LaneGroups& groups) const {
        if (r.values.known.empty()) return false;
        const bool isListed = groups.step || groups.groups.size() <= kMostListed;
        return !isListed ||
               canvas_.width(summary(r, groups, true), {.size = type::kCode}) > width_ - 2 * kEdge - kNames;
    }

    // withLanes: it says which lanes, else how many.
    std::string summary(const explain::LaneRegister& r, const explain::LaneGroups& groups,
                        bool withLanes) const {
        if (r.values.written.empty()) return say(language_, kNotWritten);
        if (r.values.known.empty()) return say(language_, kNotKnown);
        constexpr u32 kCharacters = 12;
        std::string text;
        if (groups.step) {
            const u32 first = r.values.known.lowest().value;
            u32 shown = 0;
            for (const Lane lane : r.values.known) {
                if (lane.value != first) text += ", ";
                if (shown++ == 3) break;
                text += valueOf(r, lane.value, kCharacters);
            }
            if (r.values.known.count() > 3) {
                const u32 last = 31 - u32(std::countl_zero(r.values.known.bits));
                text += (r.values.known.count() > 4 ? "…, " : "") + valueOf(r, last, kCharacters);
            }
            const std::string step = (*groups.step > 0 ? "+" : "") + std::to_string(*groups.step);
            text += "  (" + say(language_, r.isAddress ? kBytesOn : kALane, step) + ")";
        } else if (groups.groups.size() == 1 && r.values.known == (exist_ & r.lanes)) {
            text = say(language_, kInAllLanes, valueOf(r, groups.groups[0].first, kCharacters),
                       r.values.known.count());
        } else if (groups.groups.size() <= kMostListed) {
            for (const explain::LaneGroups::Group& group : groups.groups)
                text += std::string(text.empty() ? std::string_view() : kBetween.in(language_)) +
                        inLanes(valueOf(r, group.first, kCharacters), group.lanes, withLanes);
        } else if (isMostly(r, groups)) {
            text = say(language_, kMostlySo, valueOf(r, groups.groups[0].first, kCharacters));
        } else {
            text = say(language_, kAllDiffer, groups.groups.size());
        }
        if (const LaneMask unwritten = exist_ & r.lanes & ~r.values.written; !unwritten.empty())
            text += std::string(kBetween.in(language_)) +
                    (withLanes ? say(language_, kNotWrittenIn, unwritten.count(),
                                     explain::lanesText(unwritten, language_))
                               : say(language_, kNotWrittenInSome, unwritten.count()));
        return text;
    }
    std::string inLanes(const std::string& value, LaneMask lanes, bool withLanes) const {
        return withLanes
                   ? say(language_, kInLanes, value, lanes.count(), explain::lanesText(lanes, language_))
                   : say(language_, kInSomeLanes, value, lanes.count());
    }
    static bool isMostly(const explain::LaneRegister& r, const explain::LaneGroups& groups) {
        return 2 * groups.groups[0].lanes.count() > r.values.known.count();
    }

    // On one line, in a box that has not enough height for all registers.
    void drawBriefly(const explain::LaneRegister& r, f32 y) {
        const f32 middle = y + kRow / 2, right = width_ - kEdge;
        f32 x =
            kEdge + std::max(kNames, canvas_.textWithin({kEdge, middle}, right - kEdge, r.name,
                                                        {.size = type::kCode, .bold = true, .mono = true}) +
                                         kGap);
        if (!r.meaning.empty())
            x += 2 * kGap +
                 canvas_.textWithin({x, middle}, (right - x) / 2, r.meaning,
                                    {.size = type::kCode, .mono = true, .role = role(RoleKind::TextSecond)});
        canvas_.textWithin({x, middle}, right - x, summary(r, explain::groupsOf(r), false),
                           {.size = type::kCode});
    }

    void drawRow(const explain::LaneRegister& r, const explain::LaneGroups& groups, f32 y) {
        const bool asGrid = wantsGrid(r, groups);
        const f32 room = width_ - 2 * kEdge;
        const f32 name = canvas_.textWithin({kEdge, y + kRow / 2}, room, r.name,
                                            {.size = type::kCode, .bold = true, .mono = true});
        if (!r.meaning.empty()) {
            const f32 left = std::max(kNames, name + 12);
            canvas_.textWithin({kEdge + left, y + kRow / 2}, room - left, r.meaning,
                               {.size = type::kCode, .mono = true, .role = role(RoleKind::TextSecond)});
        }
        y += kRow;
        canvas_.textWithin({kEdge + kNames, y + kRow / 2}, room - kNames, summary(r, groups, !asGrid),
                           {.size = type::kCode});
        if (asGrid) drawGrid(r, groups, y + kRow);
    }

    void drawGrid(const explain::LaneRegister& r, const explain::LaneGroups& groups, f32 y) {
        const f32 left = kEdge + kNames, pitch = (width_ - kEdge - left) / kColumns;
        const bool mostly = isMostly(r, groups);
        for (u32 row = 0; row < gridRows(); ++row) {
            const f32 middle = y + (f32(row) + 0.5f) * kGridRow;
            canvas_.textWithin(
                {left - 6, middle}, kNames - 4, say(language_, message::kLane, row * kColumns),
                {.size = type::kAxis, .align = Align::Right, .role = role(RoleKind::TextThird)});
            for (u32 column = 0; column < kColumns && row * kColumns + column < u32(exist_.count());
                 ++column) {
                const Lane lane{row * kColumns + column};
                const bool known = r.values.known.has(lane), on = here_.step->active.has(lane);
                const Point at{left + (f32(column) + 0.5f) * pitch, middle};
                const std::string text = known                        ? valueOf(r, lane.value, 7)
                                         : r.values.written.has(lane) ? "?"
                                                                      : "–";
                if (mostly && known && !groups.groups[0].lanes.has(lane))
                    canvas_.rect({at.x - pitch / 2 + 1, middle - 7.5f, pitch - 2, 15},
                                 {.stroke = {role(RoleKind::TextSecond), 1}, .radius = 2});
                canvas_.textWithin(at, pitch - 6, text,
                                   {.size = type::kAxis,
                                    .bold = lane == lane_,
                                    .mono = true,
                                    .align = Align::Centre,
                                    .role = role(on && known ? RoleKind::Text : RoleKind::TextThird)});
            }
        }
    }

    const run::Run& run_;
    const CursorContext& here_;
    LaunchId launch_;
    Lane lane_;
    Language language_;
    Size most_;
    f32 width_;
    Canvas canvas_;
    LaneMask exist_;
};

Scene cannotTell(const Fault& why, Language language, const TextMetrics& metrics, Size most) {
    const f32 width = std::min(kWidest, most.width);
    const TextStyle style{.size = type::kCode, .role = role(RoleKind::TextSecond)};
    Canvas canvas({width, most.height}, metrics);
    const u32 lines = canvas.paragraph({kEdge, kEdge + kRow / 2}, width - 2 * kEdge,
                                       say(language, kCannotTell, why.message), style, kRow / style.size, 5);
    Scene scene = std::move(canvas).take({});
    scene.size.height = 2 * kEdge + f32(lines) * kRow;
    return scene;
}

}  // namespace

Scene registerBox(const run::Run& run, const Cursor& cursor, Language language, const TextMetrics& metrics,
                  std::span<const Pc> instructions, Size maxSize, RegisterCache& cache) {
    const CursorContext here = lookUp(run, cursor);
    Expected<std::vector<explain::LaneRegister>> registers =
        registersOfLine(run, cursor, instructions, cache);
    if (!registers) return cannotTell(registers.error(), language, metrics, maxSize);
    if (registers->empty()) return {};
    // Not all may have room: those first that have a name in the source.
    std::ranges::stable_partition(*registers,
                                  [](const explain::LaneRegister& each) { return !each.meaning.empty(); });
    return Box(run, cursor, here, language, metrics, maxSize).draw(cursor, *registers);
}

}  // namespace lockstep::viz
