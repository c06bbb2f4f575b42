// What the kernel did that it should not: one sentence for each mistake, however many threads made it, and a
// click goes there. Below, what costs most of what it need not cost, with the variant that cures it.
#include "base/text/counted.h"
#include "base/text/punctuation.h"
#include "explain/findings/finding_at.h"
#include "explain/findings/finding_places.h"
#include "explain/hints/hint_rules.h"
#include "explain/hints/hints.h"
#include "explain/sentences/finding_groups.h"
#include "explain/sentences/finding_text.h"
#include "operations/report.h"
#include "run/machine/saved_by_cure.h"
#include "viz/cursor/lookup.h"
#include "viz/issues_on_show.h"
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

constexpr Words kCostsMost = english("What costs most"), kInHostCode = english("In the host code"),
                kAndHints = english("{0} · {1} performance {1:hint|hints}"),
                kCompareWithFix = english("Run {0} and compare both");

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

enum class Sign : u8 { Problem, Remark, Hint, Heading, None };

// A row of the page: a finding, a performance hint, or what stands above the hints.
struct Entry {
    Sign sign = Sign::Problem;
    std::string title;
    u32 line = 0;  // of the source; 0: none
    std::string text;
    u32 lines = 0;
    std::string more;  // below the text
    bool current = false;
    std::vector<explain::SourceLine> code;
    std::optional<Cursor> go;
    std::string button, beside;  // what a click compares the run with
    f32 height = 0;
};
constexpr f32 kButton = 26;
f32 heightOf(std::span<const Entry> entries) {
    return std::accumulate(entries.begin(), entries.end(), 0.0f,
                           [](f32 sum, const Entry& e) { return sum + e.height + kApart; });
}

struct Room {
    f32 width = 0, height = 0;
    bool low = false;
};

// As much of the text as has room.
void lay(const ViewInput& in, Canvas& canvas, Entry& e, const Room& room) {
    const u32 most =
        u32(std::max(1.0f, (room.height - (room.low ? 46 : 58) - f32(e.code.size()) * kCodeLine) / kTall -
                               f32(!e.more.empty())));
    e.lines = e.text.empty() ? 0 : std::min(most, u32(canvas.wrap(e.text, room.width, kWords).size()));
    e.current = e.go && *e.go == in.cursor;
    e.height = 26 + f32(e.lines + !e.more.empty()) * kTall + f32(e.code.size()) * kCodeLine +
               (e.button.empty() ? 0 : kButton + 10) + (e.code.empty() ? 8 : 16);
}

// brief: without its lines of code.
Entry entryOf(const ViewInput& in, Canvas& canvas, explain::FindingPlaces& places,
              const explain::FindingGroup& group, const Room& room, bool brief) {
    // The one at the cursor stands for its group, else the first.
    const trace::Finding* finding = &group.first();
    for (const trace::Finding* one : group.findings)
        if (one->who.block == in.cursor.block && isOfThread(in, *one) && places.of(*one) == in.cursor)
            finding = one;
    Entry e{.sign = finding->kind == trace::FindingKind::Truncated                ? Sign::None
                    : trace::isRemark(finding->kind) || explain::isStop(*finding) ? Sign::Remark
                                                                                  : Sign::Problem,
            .title = std::string(explain::titleOf(finding->kind).in(in.language)),
            .line = finding->who.pc == kNoPc ? 0 : explain::lineOf(*in.run.module, finding->who.pc).line,
            .text = explain::textOf(in.run, *finding).in(in.language),
            .more = {},
            .code = room.low || brief ? std::vector<explain::SourceLine>{} : linesOf(in, *finding),
            .go = places.of(*finding),
            .button = {},
            .beside = {}};
    if (const std::size_t more = room.low ? 0 : group.findings.size() - 1) {
        const bool leftOut = explain::countOf(in.run.recording.findings).leftOut > 0;
        e.more = firstFitting(canvas, room.width, {},
                              {say(in.language, leftOut ? kMoreAlikeListed : kMoreAlike, grouped(more)),
                               say(in.language, leftOut ? kMoreListedBrief : kMoreBrief, grouped(more))});
    }
    lay(in, canvas, e, room);
    return e;
}

std::optional<Cursor> placeOf(const ViewInput& in, const explain::Hint& hint) {
    if (hint.pc == kNoPc) return std::nullopt;
    for (const trace::FocusBlock& block : in.run.recording.trace.blocks)
        for (u32 warp = 0; block.launch == hint.launch && warp < block.warps.size(); ++warp) {
            const std::vector<trace::Step>& steps = block.warps[warp].steps;
            const auto step = std::ranges::find(steps, hint.pc, &trace::Step::pc);
            if (step == steps.end()) continue;
            return Cursor{.launch = block.launch,
                          .block = block.block,
                          .warp = Warp{warp},
                          .lane = step->active.empty() ? Lane{0} : step->active.lowest(),
                          .step = u32(step - steps.begin())};
        }
    return std::nullopt;
}

Entry entryOf(const ViewInput& in, Canvas& canvas, const explain::Hint& hint, const Room& room, bool brief) {
    const explain::HintRule* rule = explain::findHintRule(hint.rule);
    Entry e{.sign = Sign::Hint,
            .title = rule ? std::string(rule->title.in(in.language)) : std::string(),
            .line = hint.line.line,
            .text = explain::textOf(hint).in(in.language),
            .more = {},
            .code = {},
            .go = placeOf(in, hint),
            .button = {},
            .beside = {}};
    if (in.issues && in.issues->waits)
        if (const auto saving = run::savingText(hint, *in.issues->waits))
            e.text += sentenceGap(in.language) + saving->in(in.language);
    if (!room.low && !brief && hint.line.line) e.code = {hint.line};
    if (!room.low && hint.fix) {
        e.button = explain::fixText(hint).in(in.language);
        e.beside = hint.fix->variant;
    }
    lay(in, canvas, e, room);
    return e;
}

// In the host code of the program that the launch is of.
std::vector<const operations::ProgramFinding*> hostFindings(const ViewInput& in) {
    std::vector<const operations::ProgramFinding*> found;
    if (!in.program) return found;
    for (const operations::ProgramFinding& finding : in.program->findings)
        if (finding.kernel.empty()) found.push_back(&finding);
    return found;
}

Entry entryOf(const ViewInput& in, Canvas& canvas, const operations::ProgramFinding& finding,
              const Room& room) {
    Entry e{.sign = finding.isRemark ? Sign::Remark : Sign::Problem,
            .title = say(in.language, kInHostCode),
            .line = finding.place.line,
            .text = finding.message.in(in.language),
            .more = {},
            .code = {},
            .go = {},
            .button = {},
            .beside = {}};
    lay(in, canvas, e, room);
    return e;
}

// Above the hints.
Entry headingOf(const ViewInput& in, Canvas& canvas, const explain::Hints& hints, const Room& room) {
    Entry e{.sign = Sign::Heading,
            .title = std::string(kCostsMost.in(in.language)),
            .text = hints.scale.in(in.language),
            .more = {},
            .code = {},
            .go = {},
            .button = {},
            .beside = {}};
    lay(in, canvas, e, room);
    return e;
}

// Where not all have room, only the one at the cursor, or else the first, has its lines of code.
std::vector<Entry> entriesOf(const ViewInput& in, Canvas& canvas,
                             std::span<const explain::FindingGroup> groups, const explain::Hints& hints,
                             const Room& room) {
    explain::FindingPlaces places(in.run);
    const auto all = [&](std::optional<std::size_t> full) {
        std::vector<Entry> entries;
        const auto isBrief = [&] { return full && entries.size() != *full; };
        for (const explain::FindingGroup& group : groups)
            entries.push_back(entryOf(in, canvas, places, group, room, isBrief()));
        for (const operations::ProgramFinding* finding : hostFindings(in))
            entries.push_back(entryOf(in, canvas, *finding, room));
        if (!hints.all.empty()) entries.push_back(headingOf(in, canvas, hints, room));
        for (const explain::Hint& hint : hints.all)
            entries.push_back(entryOf(in, canvas, hint, room, isBrief()));
        return entries;
    };
    std::vector<Entry> entries = all({});
    if (heightOf(entries) <= room.height - kAbove) return entries;
    const auto current = std::ranges::find_if(entries, &Entry::current);
    return all(current == entries.end() ? 0 : std::size_t(current - entries.begin()));
}

void drawSign(Canvas& canvas, Point at, Sign sign) {
    switch (sign) {
        case Sign::Problem: return warning(canvas, at, 16, role(RoleKind::Finding));
        case Sign::Remark: return warning(canvas, at, 16, role(RoleKind::TextThird));
        case Sign::Hint: {  // a bar that could be shorter
            constexpr f32 kHigh = 14, kWide = 4;
            canvas.rect({at.x - 7, at.y - kHigh / 2, kWide, kHigh}, {.fill = degreeRole(16), .radius = 1});
            canvas.rect({at.x - 1, at.y + kHigh / 2 - 5, kWide, 5},
                        {.fill = role(RoleKind::TextThird), .radius = 1});
            return;
        }
        case Sign::Heading:
        case Sign::None: return;
    }
}

void drawButton(const ViewInput& in, Canvas& canvas, const Rect& area, const Entry& e) {
    const TextStyle style{.size = type::kCode};
    const f32 wide = std::min(area.width, canvas.width(e.button, style) + 24);
    const Rect box{area.x, area.y, wide, kButton};
    canvas.rect(
        box, {.fill = role(RoleKind::Raised), .stroke = {role(RoleKind::Edge)}, .radius = radius::kControl});
    canvas.textWithin({box.x + 12, box.centre().y}, wide - 24, e.button, style);
    canvas.hit(box, {.hover = say(in.language, kCompareWithFix, e.beside), .beside = e.beside});
}

}  // namespace

Scene buildFindings(const ViewInput& in) {
    const auto& findings = in.run.recording.findings;
    const explain::Hints none;
    const explain::Hints& hints = in.run.hints ? *in.run.hints : none;
    if (findings.empty() && hints.all.empty() && hostFindings(in).empty()) {
        const Words& nothing = in.run.recording.sample ? kNoFindingsInSample
                               : in.run.emulated       ? kNoFindings
                                                       : kNoFindingsInPart;
        return emptyScene(in, kFindingsTitle, say(in.language, nothing));
    }
    Canvas canvas(in.size, in.metrics);
    const std::vector<explain::FindingGroup> groups = explain::groupFindings(findings, *in.run.module);
    std::string count = explain::describe(explain::tallyOf(findings, *in.run.module)).in(in.language);
    if (!hints.all.empty()) count = say(in.language, kAndHints, count, hints.all.size());
    const Rect body = head(canvas, in, kFindingsTitle.in(in.language), count);
    const f32 left = space::kInset + 30, width = body.width - left - space::kInset;
    // Where there is little room, the text has it all: no code, no footer.
    constexpr f32 kLow = 130;
    const bool low = body.height < kLow;
    const f32 footer = low ? 0 : 24;
    const f32 room = body.height - footer - kAbove;
    const std::vector<Entry> entries =
        entriesOf(in, canvas, groups, hints, {.width = width, .height = body.height - footer, .low = low});
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
            if (e.current) canvas.rect(row, {.fill = role(RoleKind::Raised), .radius = radius::kControl});
            if (e.go) canvas.hit(row, {.hover = e.text, .go = e.go});
            drawSign(canvas, {space::kInset + 12, y + 16}, e.sign);
            const std::string place = e.line ? say(in.language, kLine, e.line) : std::string();
            const TextStyle placeStyle{.size = type::kCode,
                                       .mono = in.language == Language::English,
                                       .align = Align::Right,
                                       .role = role(RoleKind::TextSecond)};
            const f32 placeWide = canvas.width(place, placeStyle);
            TextStyle titleStyle{.bold = true};  // smaller where it is too long
            if (canvas.width(e.title, titleStyle) > width - placeWide - 12) titleStyle.size = type::kCode;
            canvas.textWithin({left, y + 15}, width - placeWide - 12, e.title, titleStyle);
            canvas.text({left + width, y + 15}, place, placeStyle);
            canvas.paragraph({left, y + 37}, width, e.text, kWords, type::kLineHeight, e.lines);
            if (!e.more.empty())
                canvas.textWithin({left, y + 37 + f32(e.lines) * kTall}, width, e.more,
                                  {.role = role(RoleKind::TextThird)});
            f32 codeY = y + 37 + f32(e.lines + !e.more.empty()) * kTall;
            for (const explain::SourceLine& shownLine : e.code) {
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
            if (!e.go) canvas.hit(row, {.hover = e.text});
            if (!e.button.empty()) drawButton(in, canvas, {left, codeY - 4, width, kButton}, e);
            if (e.current) cursorBox(canvas, row.inset(3));
        }
        y = row.bottom() + kApart;
        canvas.line({left, y - 2}, {left + width, y - 2}, {role(RoleKind::Line)});
    }
    canvas.unclip();
    // What says that the list was cut off is no finding.
    const auto isOne = [&](const Entry& e) {
        const std::size_t at = std::size_t(&e - entries.data());
        return e.sign != Sign::Heading &&
               (at >= groups.size() || groups[at].first().kind != trace::FindingKind::Truncated);
    };
    const u64 hidden = u64(std::ranges::count_if(entries | std::views::drop(std::ptrdiff_t(shown)), isOne));
    if (!low && hidden > 0)
        canvas.textWithin({left, body.bottom() - footer / 2}, width,
                          say(in.language, kMoreBelow, grouped(hidden)),
                          {.size = type::kCode, .role = role(RoleKind::TextThird)});
    const auto first = std::ranges::find_if(entries, [](const Entry& e) { return e.sign != Sign::Heading; });
    if (sentence.empty()) sentence = first->text;
    Scene scene = std::move(canvas).take(sentence);
    scene.hiddenBelow = std::max(0.0f, all - room);
    return scene;
}

}  // namespace lockstep::viz
