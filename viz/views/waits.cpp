// Where the time goes: the lines before which warps wait, what no other warp hides of it, and what the launch
// would take with one thing changed in the model.
#include "base/text/counted.h"
#include "base/text/punctuation.h"
#include "explain/source/source_line.h"
#include "viz/cursor/lookup.h"
#include "viz/issue/issue_words.h"
#include "viz/issues_on_show.h"
#include "viz/marks/fitting_text.h"
#include "viz/marks/frame.h"
#include "viz/messages.h"
#include "viz/parts/step_at.h"
#include "viz/phrases.h"
#include "viz/views/change_bars.h"
#include "viz/views/views.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace lockstep::viz {
namespace {

using namespace message;
using time::Stall;

constexpr Words kTitle = english("Where the time goes");
constexpr Words kNotAsked = english("What the warps of this run wait for has not been worked out."),
                kUnderWay = english("The machine code of this run is being executed, cycle by cycle: {0}%."),
                kNoTime = english("No time: {0}");
constexpr Words kHead = english("{0} cycles (modeled, {1})"),
                kPart = english("{0} of {1} SMs simulated, with {2} of {3} {3:block|blocks}");
constexpr Words kLines = english("Waiting by line: exposed and hidden"),
                kMoreLines = english("and {0} more {0:line|lines}"), kNoWaits = english("No warp waits.");
constexpr Words kWithoutLine = english("code that came from no line", "no line"),
                kCodeWithoutLine = english("code that belongs to no line");
constexpr Words kExposedOf = english("exposed: this part of all exposed waiting", "{0}%"),
                kAlmostNothing = english("under {0}%");
constexpr Words kLineHover = english(
                    "{0}: {1} warp {1:instruction|instructions} issued. "
                    "All warps together wait {2} {2:cycle|cycles} before them, {3} of these exposed."),
                kReasonHover = english("{0}: {1} {1:cycle|cycles}, {2} exposed");
constexpr Words kHiddenKey = english("hidden: another warp of the sub-core issues meanwhile"),
                kExposedKey = english("exposed, {0}");
constexpr Words kHiddenShare =
                    english("Other warps hide {0}% of the waiting. Of the rest, {1}% is before {2}: {3}."),
                kAllHidden = english("Other warps hide all of the waiting."),
                kNoneHidden = english("Other warps hide none of the waiting: {0}% is before {1}: {2}."),
                kBest = english("The largest saving in the model: {0}, {1}% less time."),
                kNothingHelps = english("None of the changes saves more than 1% of the modeled time.");

constexpr f32 kRow = 22, kNote = 20, kGap = 14, kBar = 12, kKeyLine = 20, kTwoColumns = 980,
              kLinesShare = 0.58f, kCodeShare = 0.34f, kLeastCode = 300 /* below, bars give way */,
              kLeastBars = 260 /* else, code does */, kNumbersOfLine = 150 /* beside code and bars */;

bool isWait(std::size_t reason) {
    return Stall(reason) != Stall::Selected && Stall(reason) != Stall::NotSelected;
}

u64 sumOfWaits(const time::StallCycles& cycles) {
    u64 sum = 0;
    for (std::size_t i = 0; i < time::kStalls; ++i)
        if (isWait(i)) sum += cycles[i];
    return sum;
}

struct LineOfWaits {
    const run::TimedLine* line = nullptr;
    u64 waits = 0, exposed = 0;
    std::array<u64, kWaitLooks> looks{};  // of the exposed cycles
    Reasons reasons{};                    // of these
    Stall longest = Stall::Wait;          // of the exposed cycles
};

// Longest exposed first.
std::vector<LineOfWaits> linesOf(const run::TimedRun& timed) {
    std::vector<LineOfWaits> lines;
    for (const run::TimedLine& line : timed.lines) {
        LineOfWaits own{.line = &line, .waits = sumOfWaits(line.stalls), .exposed = sumOfWaits(line.exposed)};
        u64 most = 0;
        for (std::size_t i = 0; i < time::kStalls; ++i) {
            if (!isWait(i)) continue;
            own.looks[std::size_t(lookOf(Stall(i)))] += line.exposed[i];
            own.reasons[i] = own.reasons[i] || line.exposed[i];
            if (line.exposed[i] > most) most = line.exposed[i], own.longest = Stall(i);
        }
        if (own.waits) lines.push_back(own);
    }
    std::ranges::stable_sort(lines, std::ranges::greater{},
                             [](const LineOfWaits& line) { return std::pair(line.exposed, line.waits); });
    return lines;
}

// How the exposed part of a bar is filled.
RectStyle styleOf(WaitLook look) {
    switch (look) {
        case WaitLook::Memory: return {.fill = role(RoleKind::Load)};
        case WaitLook::Result: return {.fill = role(RoleKind::Load, 0.5f)};
        case WaitLook::Others: return {.fill = role(RoleKind::TextThird)};
        case WaitLook::Busy:
            return {.fill = role(RoleKind::Store, 0.45f), .hatch = role(RoleKind::Store), .hatchPitch = 4};
        case WaitLook::Fixed: return {.fill = role(RoleKind::Edge, 0.6f)};
        case WaitLook::Code: return {.stroke = {role(RoleKind::Ghost)}, .hatch = role(RoleKind::Ghost)};
        case WaitLook::NotSelected: break;
    }
    return {.fill = role(RoleKind::Inactive)};
}
const RectStyle kHidden{.fill = role(RoleKind::Inactive), .stroke = {role(RoleKind::Line)}};

constexpr f64 kLeastShare = 0.0005;  // below, it rounds to nothing

std::string percentText(f64 share) { return fmt::format("{:.{}f}", 100 * share, share < 0.1 ? 1 : 0); }

class WaitsPicture {
public:
    WaitsPicture(const ViewInput& in, const CursorContext& here, const run::WaitsOfRun& waits,
                 const RecordedCures& recorded)
        : in_(in),
          here_(here),
          waits_(waits),
          canvas_(in.size, in.metrics),
          lines_(linesOf(waits.time)),
          changes_(canvas_, in.language, waits.changes, waits.time.clockMhz, recorded) {
        for (const LineOfWaits& line : lines_) {
            exposed_ += line.exposed;
            all_ += line.waits;
        }
    }

    Scene draw() {
        const Rect body = in_.size.height > 220
                              ? head(canvas_, in_, kTitle.in(in_.language), placeText(in_, here_))
                              : Rect{0, 0, in_.size.width, in_.size.height};
        const f32 width = body.width - 2 * space::kInset;
        f32 y = body.y + 6;
        canvas_.textWithin({space::kInset, y + kNote / 2}, width, headText(width), kSecond);
        y += kNote + 4;
        const f32 room = body.bottom() - y - 4;
        const f32 left = std::floor(width * kLinesShare);
        const bool cutsCode = codeWidth(lines_) > codeRoom(left - kGap);
        const bool isTwoColumns = width >= kTwoColumns && width - left - kGap >= changes_.leastWidth() &&
                                  !(cutsCode && wholeHeight(width) + kGap + changes_.height() <= room);
        if (isTwoColumns) {
            while (changes_.height() > room && changes_.makeRoom()) {}
            drawLines({space::kInset, y, left - kGap, room});
            changes_.draw({space::kInset + left + kGap, y, width - left - kGap, room});
        } else {
            const f32 least = kNote + 2 * kRow + kKeyLine;
            constexpr f32 kSomeLines = kNote + 4 * kRow + kKeyLine;
            // What says less makes way for lines.
            while (room - changes_.height() - kGap < kSomeLines && changes_.makeRoom()) {}
            const f32 height = changes_.height();
            const bool hasChanges = room - height - kGap >= least;
            const f32 taken = drawLines({space::kInset, y, width, hasChanges ? room - height - kGap : room});
            if (hasChanges) changes_.draw({space::kInset, y + taken + kGap, width, height});
        }
        return std::move(canvas_).take(sentence());
    }

private:
    static inline const TextStyle kSecond{.size = type::kCode, .role = role(RoleKind::TextSecond)};
    static inline const TextStyle kCode{.size = type::kCode, .mono = true};
    static inline const TextStyle kHeading{.size = type::kBody, .bold = true};

    std::string headText(f32 width) const {
        const Language l = in_.language;
        const run::TimedRun& timed = waits_.time;
        const std::string cycles = grouped(timed.elapsedCycles), whole = say(l, kHead, cycles, timed.error),
                          brief = say(l, kHead, cycles, timed.errorBrief);
        if (timed.isWhole) return firstFitting(canvas_, width, kSecond, {whole, brief});
        const time::LaunchTime& first = timed.launches.front();
        const std::string part = " · " + say(l, kPart, first.simulatedSms, first.sms,
                                             grouped(first.simulatedBlocks), grouped(first.blocks));
        return firstFitting(canvas_, width, kSecond, {whole + part, brief + part, brief});
    }

    explain::SourceLine sourceOf(const run::TimedLine& line) const {
        const auto& files = in_.run.module->files;
        const auto found = std::ranges::find(files, line.file);
        return {.file = u32(found - files.begin()), .line = found == files.end() ? 0 : line.line};
    }
    std::string nameOfLine(const run::TimedLine& line) const {
        return line.line ? say(in_.language, english("line {0}"), line.line)
                         : say(in_.language, kWithoutLine);
    }

    std::string hoverOf(const LineOfWaits& own) const {
        const Language l = in_.language;
        std::string hover = say(l, kLineHover, nameOfLine(*own.line), grouped(own.line->issued),
                                grouped(own.waits), grouped(own.exposed));
        std::array<std::size_t, time::kStalls> order{};
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(order, std::ranges::greater{},
                                 [&](std::size_t i) { return own.line->stalls[i]; });
        for (const std::size_t i : order)
            if (isWait(i) && own.line->stalls[i])
                hover += "\n" + say(l, kReasonHover, reasonName(Stall(i)), grouped(own.line->stalls[i]),
                                    grouped(own.line->exposed[i]));
        return hover;
    }

    std::string_view codeOf(const LineOfWaits& own) const {
        return explain::textOfLine(*in_.run.module, sourceOf(*own.line));
    }
    // Bars of some length remain.
    f32 codeRoom(f32 width) const {
        return std::max(std::min(width * kCodeShare, kLeastCode), width - kNumbersOfLine - kLeastBars);
    }
    // Of all lines with their key.
    f32 wholeHeight(f32 width) const {
        return kNote + kRow * f32(lines_.size()) +
               kKeyLine * f32(keyLines(canvas_, width, keysOf(lines_)).size());
    }
    f32 codeWidth(std::span<const LineOfWaits> lines) const {
        f32 code = 0;
        for (const LineOfWaits& line : lines)
            code = std::max(code, canvas_.width(codeOf(line), kCode) + 2);
        return code;
    }

    // Returns the height used.
    f32 drawLines(const Rect& area) {
        const Language l = in_.language;
        canvas_.textWithin({area.x, area.y + kNote / 2}, area.width, kLines.in(l), kHeading);
        if (lines_.empty()) {
            canvas_.textWithin({area.x, area.y + kNote * 1.5f}, area.width, kNoWaits.in(l), kSecond);
            return 2 * kNote;
        }
        std::vector<KeyRow> keys = keysOf(lines_);
        auto keyLinesOf = keyLines(canvas_, area.width, keys);
        const f32 keyRoom = std::max(0.0f, area.height - kNote - 2 * kRow);
        keyLinesOf.resize(std::min(keyLinesOf.size(), std::size_t(keyRoom / kKeyLine)));
        f32 room = area.height - kNote - kKeyLine * f32(keyLinesOf.size());
        std::size_t count = std::min(lines_.size(), std::size_t(std::max(1.0f, room / kRow)));
        if (count < lines_.size() && count > 1 && room - f32(count) * kRow < kNote) --count;
        keys = keysOf(std::span(lines_).first(count));
        const std::size_t keyLineCount = keyLinesOf.size();
        keyLinesOf = keyLines(canvas_, area.width, keys);
        keyLinesOf.resize(std::min(keyLinesOf.size(), keyLineCount));
        f32 names = 0;
        for (std::size_t i = 0; i < count; ++i)
            names = std::max(names, canvas_.width(nameOfLine(*lines_[i].line), kSecond));
        const f32 percent = canvas_.width(say(l, kAlmostNothing, "0.1"), kSecond) + 8,
                  code = std::min(codeWidth(std::span(lines_).first(count)), codeRoom(area.width)),
                  bars = area.width - names - code - percent - 24;
        u64 most = 1;
        for (const LineOfWaits& line : lines_)
            most = std::max(most, line.waits);
        f32 y = area.y + kNote;
        for (std::size_t i = 0; i < count; ++i, y += kRow)
            drawLine(lines_[i], {area.x, y, area.width, kRow}, {names, code, bars, percent}, most);
        if (count < lines_.size()) {
            canvas_.textWithin({area.x, y + kNote / 2}, area.width, say(l, kMoreLines, lines_.size() - count),
                               kSecond);
            y += kNote;
        }
        for (const auto& line : keyLinesOf) {
            keyRow(canvas_, {area.x, y + kKeyLine / 2}, area.width, line);
            y += kKeyLine;
        }
        return y - area.y;
    }

    struct Columns {
        f32 names, code, bars, percent;
    };
    void drawLine(const LineOfWaits& own, const Rect& row, const Columns& columns, u64 most) {
        const f32 middle = row.centre().y;
        canvas_.text({row.x, middle}, nameOfLine(*own.line), kSecond);
        f32 x = row.x + columns.names + 8;
        canvas_.textWithin({x, middle}, columns.code, codeOf(own), kCode);
        x += columns.code + 8;
        const auto wide = [&](u64 cycles) { return columns.bars * f32(f64(cycles) / f64(most)); };
        f32 at = x;
        constexpr f32 kSeen = 0.5f;
        const auto bar = [&](u64 cycles, const RectStyle& style) {
            if (wide(cycles) >= kSeen) canvas_.rect({at, middle - kBar / 2, wide(cycles), kBar}, style);
            at += wide(cycles);
        };
        for (std::size_t look = 0; look < kWaitLooks; ++look)
            bar(own.looks[look], styleOf(WaitLook(look)));
        bar(own.waits - own.exposed, kHidden);
        TextStyle right = kSecond;
        right.align = Align::Right;
        if (exposed_) {
            const f64 share = f64(own.exposed) / f64(exposed_);
            canvas_.text({row.right(), middle},
                         share < kLeastShare ? say(in_.language, kAlmostNothing, "0.1")
                                             : say(in_.language, kExposedOf, percentText(share)),
                         right);
        }
        canvas_.hit(row, {.hover = hoverOf(own), .go = stepOn(own)});
    }

    std::optional<Cursor> stepOn(const LineOfWaits& own) const {
        const explain::SourceLine line = sourceOf(*own.line);
        if (!line.line) return std::nullopt;
        return stepAt(in_.cursor, here_, [&](Pc pc) { return explain::lineOf(*in_.run.module, pc) == line; });
    }

    std::vector<KeyRow> keysOf(std::span<const LineOfWaits> lines) const {
        std::array<u64, kWaitLooks> looks{};
        Reasons reasons{};
        bool isHidden = false;
        for (const LineOfWaits& line : lines) {
            for (std::size_t i = 0; i < kWaitLooks; ++i)
                looks[i] += line.looks[i];
            for (std::size_t i = 0; i < reasons.size(); ++i)
                reasons[i] = reasons[i] || line.reasons[i];
            isHidden |= line.waits > line.exposed;
        }
        std::vector<KeyRow> keys;
        const auto bar = [](const RectStyle& style) {
            return [style](Canvas& c, Point p) { c.rect({p.x - 10, p.y - 6, 20, 12}, style); };
        };
        for (std::size_t i = 0; i < kWaitLooks; ++i)
            if (looks[i])
                keys.push_back({bar(styleOf(WaitLook(i))),
                                say(in_.language, kExposedKey, nameOf(WaitLook(i), reasons, in_.language))});
        if (isHidden) keys.push_back({bar(kHidden), say(in_.language, kHiddenKey)});
        return keys;
    }

    std::string sentence() const {
        const Language l = in_.language;
        if (lines_.empty()) return say(l, kNoWaits);
        const LineOfWaits& first = lines_.front();
        const f64 hidden = 1 - f64(exposed_) / f64(all_);
        const std::string percent = percentText(f64(first.exposed) / f64(std::max<u64>(exposed_, 1))),
                          place = first.line->line ? nameOfLine(*first.line) : say(l, kCodeWithoutLine);
        const std::string text =
            !exposed_ ? say(l, kAllHidden)
            : hidden < kLeastShare
                ? say(l, kNoneHidden, percent, place, reasonName(first.longest))
                : say(l, kHiddenShare, percentText(hidden), percent, place, reasonName(first.longest));
        const run::ChangedTime* best = nullptr;
        for (const run::ChangedTime& changed : waits_.changes.changes)
            if (!changed.why && (!best || changed.elapsedCycles < best->elapsedCycles)) best = &changed;
        constexpr f64 kWorthSaying = 0.01;
        const bool helps = best && waits_.changes.saved(*best) > kWorthSaying;
        return text + sentenceGap(l) +
               (helps ? say(l, kBest, best->row->title, percentText(waits_.changes.saved(*best)))
                      : say(l, kNothingHelps));
    }

    const ViewInput& in_;
    const CursorContext& here_;
    const run::WaitsOfRun& waits_;
    Canvas canvas_;
    std::vector<LineOfWaits> lines_;
    ChangeBars changes_;
    u64 exposed_ = 0, all_ = 0;
};

}  // namespace

Scene buildWaits(const ViewInput& in) {
    const CursorContext here = lookUp(in.run, in.cursor);
    if (!in.issues || (!in.issues->waits && !in.issues->whyNoWaits))
        return emptyScene(
            in, kTitle,
            in.issuesPercent ? say(in.language, kUnderWay, *in.issuesPercent) : say(in.language, kNotAsked));
    if (!in.issues->waits)
        return emptyScene(in, kTitle,
                          say(in.language, kNoTime, describe(*in.issues->whyNoWaits, in.language)),
                          toolkitButton(in, *in.issues->whyNoWaits));
    RecordedCures anew;
    RecordedCures* recorded = in.cache ? std::any_cast<RecordedCures>(&in.cache->facts) : nullptr;
    if (!recorded) {
        recorded = in.cache ? &in.cache->facts.emplace<RecordedCures>() : &anew;
        *recorded = recordedCures(in);
    }
    return WaitsPicture(in, here, *in.issues->waits, *recorded).draw();
}

}  // namespace lockstep::viz
