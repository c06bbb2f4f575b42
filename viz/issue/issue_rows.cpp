#include "viz/issue/issue_rows.h"

#include "base/text/counted.h"
#include "viz/issue/issue_facts.h"
#include "viz/issue/issue_marks.h"
#include "viz/marks/fitting_text.h"

#include <array>
#include <numeric>

namespace lockstep::viz {
namespace {

using time::IssueRecord;
using time::Stall;
using time::WaitRecord;
using time::WarpRecord;

constexpr Words kWaitCycles = english("{0}, {1} {1:cycle|cycles}"),
                kWaitPart = english("{0}, {1} of {2} {2:cycle|cycles} on show"),
                kPart = english("of a wait's cycles, those on show", "{0} of {1}"),
                kValueOf = english("a wait, and what its value is of", "{0}: value of {1}");
constexpr Words kStarts = english("not started before cycle {0}"), kNotStarted = english("not started"),
                kEnds = english("ended in cycle {0}"), kEnded = english("ended");
constexpr Words kOfCycles = english("{0} of {1} {1:cycle|cycles}"), kNoWait = english("no wait on show"),
                kMostBrief = english("what a warp waits for, and its cycles", "{0} {1}");
constexpr Words kIdleStretch = english("No warp of the sub-core issues for {0} {0:cycle|cycles}."),
                kIdleNone = english("none on show"), kIdleReason = english("{0} {0:cycle|cycles}: {1}"),
                kIdlePart = english("{0} of {1} {1:cycle|cycles} on show: {2}"),
                kNoWarpStretch = english("The sub-core has no warp for {0} {0:cycle|cycles}.");
constexpr Words kSums = english("{0}: {1} {1:instruction|instructions} issued"), kSum = english("{0}: {1}");

// What a warp does in a stretch of cycles.
struct Sums {
    u64 issued = 0;
    time::StallCycles waits{};
};
Sums sumsOf(const WarpRecord& warp, u64 begin, u64 end) {
    Sums sums;
    sums.issued = firstIssue(warp, end) - firstIssue(warp, begin);
    for (std::size_t i = firstWait(warp, begin); i < warp.waits.size() && warp.waits[i].begin < end; ++i)
        sums.waits[std::size_t(warp.waits[i].reason)] +=
            std::min(end, warp.waits[i].end) - std::max(begin, warp.waits[i].begin);
    return sums;
}

std::string sumsText(const IssueSentences& sentences, const run::IssueRun& issues, Language language,
                     u32 smWarp, u64 begin, u64 end) {
    const WarpRecord& warp = issues.sm.warps[smWarp];
    begin = std::max(begin, warp.begin), end = std::min(end, warp.end);
    const Sums sums = sumsOf(warp, begin, end);
    std::string text = say(language, kSums, sentences.warp(smWarp), sums.issued);
    std::array<std::size_t, time::kStalls> order{};
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return sums.waits[i]; });
    for (const std::size_t i : order)
        if (sums.waits[i])
            text += "\n" + say(language, kSum, say(language, reasonName(Stall(i))), grouped(sums.waits[i]));
    return text + "\n" + sentences.cycles(begin, end);
}

// "long scoreboard, 531 cycles: value of line 13"; where the picture cuts it, how many of them are seen.
std::string waitLabel(const IssueDrawing& d, u32 smWarp, const WaitRecord& wait, f32 room,
                      const TextStyle& style) {
    const Language l = d.in.language;
    const std::string name = say(l, reasonName(wait.reason));
    const u64 cycles = wait.end - wait.begin,
              seen = std::min(wait.end, d.scale.end()) - std::max(wait.begin, d.scale.first());
    const std::string whole = say(l, kWaitCycles, name, cycles),
                      part = seen < cycles ? say(l, kWaitPart, name, seen, cycles) : whole;
    const IssueRecord* const issue = broughtBy(d.sm().warps[smWarp], wait);
    const std::string of = issue ? say(l, kValueOf, part, d.sentences().place(issue->instruction)) : part;
    if (seen < cycles) return firstFitting(d.canvas, room, style, {of, part, say(l, kPart, seen, cycles)});
    return firstFitting(d.canvas, room, style,
                        {of, whole, say(l, kMostBrief, name, grouped(cycles)), name, grouped(cycles)});
}

// On its mark, where it has room.
void writeWait(const IssueDrawing& d, u32 smWarp, const WaitRecord& wait, const Rect& slot) {
    const TextStyle word{.size = type::kAxis, .align = Align::Centre, .role = role(RoleKind::Text)};
    constexpr f32 kLeastRow = 17, kAround = 10;
    const WaitLook look = lookOf(wait.reason);
    const std::optional<Rect> room = roomForWords(slot, look);
    if (!room || room->height < kLeastRow) return;
    const std::string name = waitLabel(d, smWarp, wait, slot.width - kAround, word);
    const f32 wide = d.canvas.width(name, word) + kAround;
    if (wide > slot.width) return;
    if (look == WaitLook::Code)  // so that it stands on a ground of its own
        d.canvas.rect({slot.centre().x - wide / 2, room->centre().y - kLeastRow / 2, wide, kLeastRow},
                      {.fill = role(RoleKind::Ground), .radius = 2});
    d.canvas.text(room->centre(), name, word);
}

void drawWait(const IssueDrawing& d, u32 smWarp, const WaitRecord& wait, std::size_t nextIssue,
              const Rect& row) {
    const f32 x0 = d.scale.xWithin(wait.begin), x1 = d.scale.xWithin(wait.end);
    if (x1 <= x0) return;
    drawWaitMark(d.canvas, {x0, row.y + 2, x1 - x0, row.height - 4}, lookOf(wait.reason));
    writeWait(d, smWarp, wait, {x0, row.y, x1 - x0, row.height});
    const std::optional<Cursor> go = d.stepOf(smWarp, nextIssue);
    d.canvas.hit({x0, row.y, x1 - x0, row.height},
                 {.hover = {},
                  .hoverLater =
                      [issues = d.issues, &run = d.in.run, language = d.in.language, smWarp, wait, go] {
                          const IssueSentences say_(run, *issues, language);
                          return withStep(say_.wait(smWarp, wait) + "\n" +
                                              say(language, english("ncu: {0}"), reasonName(wait.reason)) +
                                              "\n" + say_.cycles(wait.begin, wait.end),
                                          language, go);
                      },
                  .go = go});
}

void drawIssue(const IssueDrawing& d, u32 smWarp, std::size_t index, const Rect& row) {
    const IssueRecord& issue = d.sm().warps[smWarp].issues[index];
    const f32 x0 = d.scale.x(issue.cycle), apart = d.scale.pixels > 4 ? 1.0f : 0.0f;
    if (x0 < d.scale.lanes.x - 0.5f || x0 + f32(d.scale.pixels) > d.scale.lanes.right() + 0.5f) return;
    const f32 wide = std::max(1.0f, f32(d.scale.pixels) - apart);
    drawIssueMark(d.canvas, {x0, row.y + 2, wide, row.height - 4}, kindOf(d.issues->code[issue.instruction]));
    const std::optional<Cursor> go = d.stepOf(smWarp, index);
    d.canvas.hit({x0, row.y, std::max(1.0f, f32(d.scale.pixels)), row.height},
                 {.hover = {},
                  .hoverLater =
                      [issues = d.issues, &run = d.in.run, language = d.in.language, smWarp, issue, go] {
                          return withStep(IssueSentences(run, *issues, language).issue(smWarp, issue) + "\n" +
                                              issues->code[issue.instruction].text,
                                          language, go);
                      },
                  .go = go});
}

void drawExactly(const IssueDrawing& d, u32 smWarp, const Rect& row) {
    const WarpRecord& warp = d.sm().warps[smWarp];
    const u64 first = d.scale.first(), end = d.scale.end();
    for (std::size_t i = firstWait(warp, first); i < warp.waits.size() && warp.waits[i].begin < end; ++i)
        drawWait(d, smWarp, warp.waits[i], firstIssue(warp, warp.waits[i].end), row);
    for (std::size_t i = firstIssue(warp, first); i < warp.issues.size() && warp.issues[i].cycle < end; ++i)
        drawIssue(d, smWarp, i, row);
}

// A place of the picture that holds many cycles: what the warp does most of the time.
struct Bucket {
    std::array<f32, kWaitLooks> waits{};
    f32 issued = 0;
    IssueKind kind = IssueKind::Control;  // the foremost
};
constexpr f32 kBucket = 2;  // pixels

std::vector<Bucket> bucketsOf(const IssueDrawing& d, const WarpRecord& warp) {
    std::vector<Bucket> buckets(std::size_t(std::ceil(d.scale.lanes.width / kBucket)));
    const f64 perBucket = kBucket / d.scale.pixels;  // cycles
    const auto at = [&](u64 cycle) { return (f64(cycle) - d.scale.from) / perBucket; };
    const u64 first = d.scale.first(), end = d.scale.end();
    for (std::size_t i = firstWait(warp, first); i < warp.waits.size() && warp.waits[i].begin < end; ++i) {
        const f64 from = std::max(0.0, at(warp.waits[i].begin)),
                  to = std::min(f64(buckets.size()), at(warp.waits[i].end));
        for (std::size_t b = std::size_t(from); f64(b) < to; ++b)
            buckets[b].waits[std::size_t(lookOf(warp.waits[i].reason))] +=
                f32(std::min(to, f64(b + 1)) - std::max(from, f64(b)));
    }
    for (std::size_t i = firstIssue(warp, first); i < warp.issues.size() && warp.issues[i].cycle < end; ++i) {
        const std::size_t b = std::size_t(std::max(0.0, at(warp.issues[i].cycle)));
        if (b >= buckets.size()) break;
        buckets[b].issued += f32(1 / perBucket);
        buckets[b].kind = std::max(buckets[b].kind, kindOf(d.issues->code[warp.issues[i].instruction]));
    }
    return buckets;
}

// Two waits that look alike and follow each other closely are two marks, each with its own number.
void separate(const IssueDrawing& d, const WarpRecord& warp, std::size_t wait, const Rect& row) {
    constexpr f32 kLeast = 8;
    if (wait == 0) return;
    const WaitRecord &before = warp.waits[wait - 1], &own = warp.waits[wait];
    const f32 x0 = d.scale.xWithin(own.begin);
    if (lookOf(before.reason) == lookOf(own.reason) && x0 - d.scale.xWithin(before.end) < kBucket &&
        x0 - d.scale.xWithin(before.begin) >= kLeast && d.scale.xWithin(own.end) - x0 >= kLeast)
        d.canvas.rect({x0 - 0.5f, row.y, 1, row.height}, {.fill = role(RoleKind::Ground)});
}

void drawBuckets(const IssueDrawing& d, u32 smWarp, const Rect& row) {
    const WarpRecord& warp = d.sm().warps[smWarp];
    const std::vector<Bucket> buckets = bucketsOf(d, warp);
    const auto lookAt = [&](std::size_t b) {
        const auto most = std::ranges::max_element(buckets[b].waits);
        return *most > 0 ? int(most - buckets[b].waits.begin()) : -1;
    };
    const auto xOf = [&](std::size_t b) {
        return std::min(d.scale.lanes.x + f32(b) * kBucket, d.scale.lanes.right());
    };
    constexpr f32 kShare = 0.4f;  // of the row, for issues, above the waits
    const Rect above{row.x, row.y + 1, row.width, std::floor((row.height - 3) * kShare)},
        below{row.x, above.bottom() + 1, row.width, row.bottom() - 1 - above.bottom() - 1};
    for (std::size_t b = 0; b < buckets.size();) {
        std::size_t end = b + 1;
        const int look = lookAt(b);
        while (end < buckets.size() && lookAt(end) == look)
            ++end;
        if (look >= 0)
            drawWaitMark(d.canvas, {xOf(b), below.y, xOf(end) - xOf(b), below.height}, WaitLook(look));
        b = end;
    }
    for (std::size_t b = 0; b < buckets.size(); ++b) {
        if (buckets[b].issued <= 0) continue;
        const f32 tall = std::max(2.0f, above.height * std::min(1.0f, buckets[b].issued));
        d.canvas.rect({xOf(b), above.bottom() - tall, kBucket, tall}, {.fill = roleOf(buckets[b].kind)});
    }
    for (std::size_t i = firstWait(warp, d.scale.first());
         i < warp.waits.size() && warp.waits[i].begin < d.scale.end(); ++i) {
        const f32 x0 = d.scale.xWithin(warp.waits[i].begin), x1 = d.scale.xWithin(warp.waits[i].end);
        separate(d, warp, i, below);
        writeWait(d, smWarp, warp.waits[i], {x0, below.y, x1 - x0, below.height});
    }
    // What answers the mouse: a few buckets together.
    constexpr std::size_t kTogether = 4;
    for (std::size_t b = 0; b < buckets.size(); b += kTogether) {
        const f32 x0 = xOf(b), x1 = xOf(std::min(b + kTogether, buckets.size()));
        const u64 begin = d.scale.cycleAt(x0), end = std::max(begin + 1, d.scale.cycleAt(x1));
        if (end <= warp.begin || begin >= warp.end || x1 <= x0) continue;
        std::optional<Cursor> go;
        for (std::size_t i = firstIssue(warp, begin);
             i < warp.issues.size() && warp.issues[i].cycle < end && !go; ++i)
            go = d.stepOf(smWarp, i);
        d.canvas.hit(
            {x0, row.y, x1 - x0, row.height},
            {.hover = {},
             .hoverLater =
                 [issues = d.issues, &run = d.in.run, language = d.in.language, smWarp, begin, end, go] {
                     return withStep(
                         sumsText({run, *issues, language}, *issues, language, smWarp, begin, end), language,
                         go);
                 },
             .go = go});
    }
}

}  // namespace

namespace {

// Where a warp is not there: before its block starts, and behind its end.
void drawAbsence(const IssueDrawing& d, const WarpRecord& warp, const Rect& row) {
    constexpr f32 kLeastRow = 12;
    if (row.height < kLeastRow) return;
    const TextStyle style{.size = type::kAxis, .align = Align::Centre, .role = role(RoleKind::TextThird)};
    const auto write = [&](f32 from, f32 to, const std::string& whole, const std::string& brief) {
        const std::string text = firstFitting(d.canvas, to - from - 8, style, {whole, brief});
        if (d.canvas.width(text, style) <= to - from - 8)
            d.canvas.text({(from + to) / 2, row.centre().y}, text, style);
    };
    const Language l = d.in.language;
    write(row.x, d.scale.xWithin(warp.begin), say(l, kStarts, grouped(warp.begin)), say(l, kNotStarted));
    write(d.scale.xWithin(warp.end), row.right(), say(l, kEnds, grouped(warp.end - 1)), say(l, kEnded));
}

}  // namespace

void drawMostWaited(const IssueDrawing& d, u32 smWarp, const Rect& place) {
    const Language l = d.in.language;
    const WarpRecord& warp = d.sm().warps[smWarp];
    const u64 begin = std::max(d.scale.first(), warp.begin), end = std::min(d.scale.end(), warp.end);
    if (end <= begin) return;
    const std::vector<Waited> waited = waitedFor(warp, begin, end);
    const TextStyle name{.size = type::kAxis, .bold = true},
        number{.size = type::kAxis, .role = role(RoleKind::TextSecond)};
    const f32 y = place.centre().y;
    constexpr f32 kTwoLines = 30;
    if (waited.empty()) {
        d.canvas.textWithin({place.x, y}, place.width, say(l, kNoWait), number);
    } else if (place.height >= kTwoLines) {
        d.canvas.textWithin({place.x, y - 8}, place.width, say(l, reasonName(waited.front().reason)), name);
        d.canvas.textWithin({place.x, y + 8}, place.width,
                            say(l, kOfCycles, grouped(waited.front().cycles), end - begin), number);
    } else {
        TextStyle style{.size = std::min(type::kAxis, place.height - 1)};
        d.canvas.textWithin(
            {place.x, y}, place.width,
            say(l, kMostBrief, reasonName(waited.front().reason), grouped(waited.front().cycles)), style);
    }
    d.canvas.hit(place,
                 {.hover = {}, .hoverLater = [issues = d.issues, &run = d.in.run, l, smWarp, begin, end] {
                      return sumsText({run, *issues, l}, *issues, l, smWarp, begin, end);
                  }});
}

void drawIdle(const IssueDrawing& d, const Idle& idle, const Idle& all, const Rect& area) {
    const Language l = d.in.language;
    d.canvas.line({area.x, area.bottom() + 0.5f}, {area.right(), area.bottom() + 0.5f},
                  {role(RoleKind::Line)});
    const TextStyle style{.size = type::kAxis, .align = Align::Centre};
    for (const CycleSpan& span : idle.without) {
        const f32 x0 = d.scale.xWithin(span.begin), x1 = d.scale.xWithin(span.end);
        if (x1 - x0 < 0.5f) continue;
        drawNoWarp(d.canvas, Rect{x0, area.y + 2, x1 - x0, area.height - 4}.inset(0.5f));
        d.canvas.hit({x0, area.y, x1 - x0, area.height},
                     {.hover = say(l, kNoWarpStretch, span.cycles()) + "\n" +
                               d.sentences().cycles(span.begin, span.end)});
    }
    for (const CycleSpan& span : idle.stretches) {
        const f32 x0 = d.scale.xWithin(span.begin), x1 = d.scale.xWithin(span.end);
        if (x1 - x0 < 0.5f) continue;
        const bool isLongest = idle.longest && span.begin == idle.longest->begin;
        const Rect bar{x0, area.y + 2, x1 - x0, area.height - 4};
        drawIdleMark(d.canvas, bar, isLongest);
        d.canvas.hit({x0, area.y, x1 - x0, area.height},
                     {.hover = say(l, kIdleStretch, span.cycles()) + "\n" +
                               d.sentences().cycles(span.begin, span.end)});
        if (!isLongest || !idle.wait) continue;
        const u64 whole = wholeOf(all, span).cycles();
        const std::string reason = say(l, reasonName(idle.reason)), full = say(l, kIdleReason, whole, reason);
        const std::string text =
            firstFitting(d.canvas, bar.width - 6, style,
                         {whole > span.cycles() ? say(l, kIdlePart, span.cycles(), whole, reason) : full,
                          whole > span.cycles() ? say(l, kPart, span.cycles(), whole) : grouped(whole)});
        if (d.canvas.width(text, style) <= bar.width - 6) d.canvas.text(bar.centre(), text, style);
    }
    if (idle.stretches.empty())
        d.canvas.textWithin({area.x + 6, area.centre().y}, area.width, say(l, kIdleNone),
                            {.size = type::kAxis, .role = role(RoleKind::TextThird)});
}

std::vector<u32> warpsOnShow(const IssueDrawing& d) {
    std::vector<u32> warps;
    for (u32 w = 0; w < d.sm().warps.size(); ++w)
        if (d.sm().warps[w].subcore == d.subcore && d.scale.shows(d.sm().warps[w].begin, d.sm().warps[w].end))
            warps.push_back(w);
    return warps;
}

void drawIssueRow(const IssueDrawing& d, u32 smWarp, const Rect& row) {
    d.canvas.line({row.x, row.bottom() - 0.5f}, {row.right(), row.bottom() - 0.5f}, {role(RoleKind::Line)});
    if (d.scale.isExact())
        drawExactly(d, smWarp, row);
    else
        drawBuckets(d, smWarp, row);
    drawAbsence(d, d.sm().warps[smWarp], row);
}

void drawCycles(const IssueDrawing& d, f32 y, f32 leaveFrom, f32 leaveTo) {
    constexpr f64 kApart = 70;  // pixels
    const TextStyle style{
        .size = type::kAxis, .mono = true, .align = Align::Centre, .role = role(RoleKind::TextThird)};
    const Rect& lanes = d.scale.lanes;
    u64 every = 1;
    for (u64 power = 1; f64(every) * d.scale.pixels < kApart; power *= 10)
        for (const u64 factor : {1u, 2u, 5u}) {
            every = factor * power;
            if (f64(every) * d.scale.pixels >= kApart) break;
        }
    for (u64 cycle = (d.scale.first() + every - 1) / every * every; cycle < d.scale.end(); cycle += every) {
        const f32 x = d.scale.x(cycle) + f32(d.scale.pixels) / 2,
                  half = d.canvas.width(grouped(cycle), style) / 2;
        if (x - half < lanes.x || x + half > lanes.right() || (x + half > leaveFrom && x - half < leaveTo))
            continue;
        d.canvas.text({x, y}, grouped(cycle), style);
    }
}

void IssueLooks::add(const run::TimedInstruction& instruction) {
    kinds[std::size_t(kindOf(instruction))] = true;
    reductions = reductions || instruction.code == sass::Opcode::Redg;
}

void IssueLooks::add(const IssueLooks& more) {
    const auto join = [](auto& to, const auto& from) {
        for (std::size_t i = 0; i < to.size(); ++i)
            to[i] = to[i] || from[i];
    };
    join(reasons, more.reasons), join(waits, more.waits), join(kinds, more.kinds);
    reductions = reductions || more.reductions;
}

IssueLooks looksOnShow(const IssueDrawing& d, std::span<const u32> warps) {
    IssueLooks looks;
    const u64 first = d.scale.first(), end = d.scale.end();
    for (const u32 w : warps) {
        const WarpRecord& warp = d.sm().warps[w];
        for (std::size_t i = firstWait(warp, first); i < warp.waits.size() && warp.waits[i].begin < end; ++i)
            looks.reasons[std::size_t(warp.waits[i].reason)] =
                looks.waits[std::size_t(lookOf(warp.waits[i].reason))] = true;
        for (std::size_t i = firstIssue(warp, first); i < warp.issues.size() && warp.issues[i].cycle < end;
             ++i)
            looks.add(d.issues->code[warp.issues[i].instruction]);
    }
    for (const time::RequestRecord& request : d.sm().requests)
        if (d.sm().warps[request.warp].subcore == d.subcore && d.scale.shows(request.begin, request.end))
            looks.kinds[std::size_t(request.isStore ? IssueKind::Store : IssueKind::Load)] = true;
    return looks;
}

}  // namespace lockstep::viz
