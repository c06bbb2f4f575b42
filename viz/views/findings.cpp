// What the kernel did that it should not: one sentence for each mistake, however many threads made it, and a
// click goes there.
#include "base/text/counted.h"
#include "explain/findings/finding_at.h"
#include "explain/findings/finding_places.h"
#include "explain/sentences/finding_groups.h"
#include "explain/sentences/finding_text.h"
#include "viz/cursor/lookup.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/fitting_text.h"
#include "viz/marks/frame.h"
#include "viz/marks/glyphs.h"
#include "viz/messages.h"
#include "viz/scene/wheel.h"
#include "viz/views/views.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <ranges>

namespace lockstep::viz {
namespace {

using namespace message;

// Quickly told, where whole steps would have to be looked for.
bool isOfThread(const ViewInput& in, const trace::Finding& finding) {
    const u64 thread = linearOf(finding.who.thread, in.run.recording.launches[finding.launch.value].block);
    return thread == u64{in.cursor.warp.value} * kWarpSize + in.cursor.lane.value;
}

constexpr f32 kCodeLine = 18, kCodeNumber = 28, kApart = 4;

// The lines of the source that it is about, the one that was met first first.
std::vector<explain::SourceLine> linesOf(const ViewInput& in, const trace::Finding& finding) {
    std::vector<explain::SourceLine> lines;
    const auto add = [&](Pc pc) {
        if (pc == kNoPc) return;
        const explain::SourceLine line = explain::lineOf(*in.run.module, pc);
        if (!explain::textOfLine(*in.run.module, line).empty() &&
            std::ranges::find(lines, line) == lines.end())
            lines.push_back(line);
    };
    add(finding.who.pc);
    if (finding.other) add(finding.other->pc);
    return lines;
}

const TextStyle kWords{.role = role(RoleKind::TextSecond)};
constexpr f32 kTall = type::kBody * type::kLineHeight, kAbove = 12;

struct Entry {
    const trace::Finding* finding;
    std::string text;
    u32 lines;
    std::size_t more;
    bool current;
    std::vector<explain::SourceLine> code;
    std::optional<Cursor> go;
    f32 height;
};
f32 heightOf(std::span<const Entry> entries) {
    return std::accumulate(entries.begin(), entries.end(), 0.0f,
                           [](f32 sum, const Entry& e) { return sum + e.height + kApart; });
}

struct Room {
    f32 width = 0, height = 0;
    bool low = false;
};

// brief: without its lines of code.
Entry entryOf(const ViewInput& in, Canvas& canvas, explain::FindingPlaces& places,
              const explain::FindingGroup& group, const Room& room, bool brief) {
    // The one at the cursor stands for its group, else the first.
    const trace::Finding* finding = &group.first();
    for (const trace::Finding* one : group.findings)
        if (one->who.block == in.cursor.block && isOfThread(in, *one) && places.of(*one) == in.cursor)
            finding = one;
    Entry e{.finding = finding,
            .text = explain::textOf(in.run, *finding).in(in.language),
            .lines = 0,
            .more = room.low ? 0 : group.findings.size() - 1,
            .current = false,
            .code = room.low || brief ? std::vector<explain::SourceLine>{} : linesOf(in, *finding),
            .go = places.of(*finding),
            .height = 0};
    // As much of it as has room.
    const u32 most =
        u32(std::max(1.0f, (room.height - (room.low ? 46 : 58) - f32(e.code.size()) * kCodeLine) / kTall -
                               f32(e.more > 0)));
    e.lines = std::min(most, u32(canvas.wrap(e.text, room.width, kWords).size()));
    e.current = e.go && *e.go == in.cursor;
    e.height =
        26 + f32(e.lines + (e.more > 0)) * kTall + f32(e.code.size()) * kCodeLine + (e.code.empty() ? 8 : 16);
    return e;
}

// Where not all have room, only the one at the cursor, or else the first, has its lines of code.
std::vector<Entry> entriesOf(const ViewInput& in, Canvas& canvas,
                             std::span<const explain::FindingGroup> groups, const Room& room) {
    explain::FindingPlaces places(in.run);
    std::vector<Entry> entries;
    for (const explain::FindingGroup& group : groups)
        entries.push_back(entryOf(in, canvas, places, group, room, false));
    if (heightOf(entries) <= room.height - kAbove) return entries;
    const auto current = std::ranges::find_if(entries, &Entry::current);
    const std::size_t full = current == entries.end() ? 0 : std::size_t(current - entries.begin());
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (i != full) entries[i] = entryOf(in, canvas, places, groups[i], room, true);
    return entries;
}

}  // namespace

Scene buildFindings(const ViewInput& in) {
    const auto& findings = in.run.recording.findings;
    if (findings.empty()) {
        const Words& none = in.run.recording.sample ? kNoFindingsInSample
                            : in.run.emulated       ? kNoFindings
                                                    : kNoFindingsInPart;
        return emptyScene(in, kFindingsTitle, say(in.language, none));
    }
    Canvas canvas(in.size, in.metrics);
    const explain::FindingCount found = explain::countOf(findings);
    const std::vector<explain::FindingGroup> groups = explain::groupFindings(findings, *in.run.module);
    const std::string count = explain::describe(explain::tallyOf(findings, *in.run.module)).in(in.language);
    const Rect body = head(canvas, in, kFindingsTitle.in(in.language), count);
    const f32 left = space::kInset + 30, width = body.width - left - space::kInset;
    const TextStyle kind{.bold = true};
    // Where there is little room, the text has it all: no code, no footer.
    constexpr f32 kLow = 130;
    const bool low = body.height < kLow;
    const f32 footer = low ? 0 : 24;
    const f32 room = body.height - footer - kAbove;
    const std::vector<Entry> entries =
        entriesOf(in, canvas, groups, {.width = width, .height = body.height - footer, .low = low});
    const f32 all = heightOf(entries);
    f32 currentTop = 0, currentBottom = 0;
    for (f32 top = 0; const Entry& e : entries) {
        if (e.current && currentBottom == 0) currentTop = top, currentBottom = top + e.height;
        top += e.height + kApart;
    }
    // From the first one on, or so far down that the one at the cursor is seen; the pan goes on from there.
    const f32 base = -std::max(0.0f, std::min(currentTop, currentBottom - room));
    const f32 scrolled = std::clamp(base + in.state.pan.y, std::min(0.0f, room - all), 0.0f);
    keepScrolled(in, scrolled - base);
    std::string sentence;
    f32 y = body.y + kAbove + scrolled;
    std::size_t shown = 0;
    canvas.clip({body.x, body.y, body.width, body.height - footer});
    for (const Entry& e : entries) {
        const Rect row{8, y, body.width - 16, e.height};
        if (e.current) sentence = e.text;
        const bool fits = row.bottom() <= body.bottom() - footer;
        shown += fits;
        if (fits && row.bottom() > body.y) {
            const auto& [finding, text, lines, more, current, code, go, height] = e;
            if (current) canvas.rect(row, {.fill = role(RoleKind::Raised), .radius = radius::kControl});
            warning(canvas, {space::kInset + 12, y + 16}, 16,
                    role(trace::isRemark(finding->kind) || explain::isStop(*finding) ? RoleKind::TextThird
                                                                                     : RoleKind::Finding));
            const explain::SourceLine line = finding->who.pc == kNoPc
                                                 ? explain::SourceLine{}
                                                 : explain::lineOf(*in.run.module, finding->who.pc);
            const std::string place = line.line ? say(in.language, kLine, line.line) : std::string();
            const TextStyle placeStyle{.size = type::kCode,
                                       .mono = in.language == Language::English,
                                       .align = Align::Right,
                                       .role = role(RoleKind::TextSecond)};
            const f32 placeWide = canvas.width(place, placeStyle);
            const std::string title(explain::titleOf(finding->kind).in(in.language));
            TextStyle titleStyle = kind;  // smaller where it is too long
            if (canvas.width(title, titleStyle) > width - placeWide - 12) titleStyle.size = type::kCode;
            canvas.textWithin({left, y + 15}, width - placeWide - 12, title, titleStyle);
            canvas.text({left + width, y + 15}, place, placeStyle);
            canvas.paragraph({left, y + 37}, width, text, kWords, type::kLineHeight, lines);
            if (more)
                canvas.textWithin(
                    {left, y + 37 + f32(lines) * kTall}, width,
                    firstFitting(
                        canvas, width, {},
                        {say(in.language, found.leftOut ? kMoreAlikeListed : kMoreAlike, grouped(more)),
                         say(in.language, found.leftOut ? kMoreListedBrief : kMoreBrief, grouped(more))}),
                    {.role = role(RoleKind::TextThird)});
            f32 codeY = y + 37 + f32(lines + (more > 0)) * kTall;
            for (const explain::SourceLine& shownLine : code) {
                const std::string number = std::to_string(shownLine.line);
                canvas.text({left + kCodeNumber, codeY}, number,
                            {.size = type::kCode,
                             .mono = true,
                             .align = Align::Right,
                             .role = role(RoleKind::TextThird)});
                canvas.textWithin({left + kCodeNumber + 14, codeY}, width - kCodeNumber - 14,
                                  explain::textOfLine(*in.run.module, shownLine),
                                  {.size = type::kCode, .mono = true});
                codeY += kCodeLine;
            }
            canvas.hit(row, {.hover = text, .go = go});
            if (current) cursorBox(canvas, row.inset(3));
        }
        y = row.bottom() + kApart;
        canvas.line({left, y - 2}, {left + width, y - 2}, {role(RoleKind::Line)});
    }
    canvas.unclip();
    // What says that the list was cut off is no finding.
    const u64 hidden = u64(std::ranges::count_if(
        groups | std::views::drop(std::ptrdiff_t(shown)), [](const explain::FindingGroup& group) {
            return group.first().kind != trace::FindingKind::Truncated;
        }));
    if (!low && hidden > 0)
        canvas.textWithin({left, body.bottom() - footer / 2}, width,
                          say(in.language, kMoreBelow, grouped(hidden)),
                          {.size = type::kCode, .role = role(RoleKind::TextThird)});
    if (sentence.empty()) sentence = explain::textOf(in.run, groups.front().first()).in(in.language);
    return std::move(canvas).take(sentence);
}

}  // namespace lockstep::viz
