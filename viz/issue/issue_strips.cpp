#include "viz/issue/issue_strips.h"

#include "base/text/counted.h"
#include "time/model/time_profile.h"
#include "viz/issue/issue_facts.h"
#include "viz/issue/issue_marks.h"

#include <array>

namespace lockstep::viz {
namespace {

using sass::Pipe;
using time::IssueRecord;
using time::MemoryLevel;
using time::RequestRecord;

constexpr Words kRequests = english(
                    "{0}: at most {1} {1:request|requests} of sub-core {2} at a time in these "
                    "cycles"),
                kPipeBusy = english("{0} of sub-core {1}: busy in {2} of {3} {3:cycle|cycles} on show"),
                kQueue = english("{0} of sub-core {1}: at most {2} of {3} places taken in these cycles");
constexpr Words
    kLanes = english("a strip of the issue timeline", "lanes, warp {0}"),
    kAllLanes = english("all lanes in {0} of {1}"),
    kLanesHover = english(
        "Which lanes of warp {0} take part in each of its {1} {1:issue|issues} on show: all {2} in "
        "{3} of them.");
constexpr Words kAtMost = english("at most {0} at a time"), kNoneHere = english("none on show"),
                kBusyOf = english("busy {0} of {1} {1:cycle|cycles}"),
                kPlaces = english("at most {0} of {1} places"), kUnused = english("not used on show"),
                kPredicatedOff =
                    english("{0}: {1} accesses no memory in cycle {2}: it is predicated off in all lanes.");

bool isSharedAccess(sass::Opcode code) {
    return code == sass::Opcode::Lds || code == sass::Opcode::Sts || code == sass::Opcode::Atoms;
}

struct Span {
    u64 begin, end;
    u32 request = time::kNotRecorded;
};

std::vector<Span> requestsOnShow(const IssueDrawing& d, MemoryLevel level) {
    std::vector<Span> spans;
    for (u32 r = 0; r < d.sm().requests.size(); ++r) {
        const RequestRecord& request = d.sm().requests[r];
        if (request.level == level && d.sm().warps[request.warp].subcore == d.subcore &&
            d.scale.shows(request.begin, request.end))
            spans.push_back({request.begin, request.end, r});
    }
    return spans;
}

std::vector<Span> busyOnShow(const IssueDrawing& d, const IssueStrip& strip) {
    std::vector<Span> spans;
    for (const time::WarpRecord& warp : d.sm().warps) {
        if (warp.subcore != d.subcore || !d.scale.shows(warp.begin, warp.end + 64)) continue;
        for (const IssueRecord& issue : warp.issues)
            if (d.scale.shows(issue.cycle, issue.busyUntil) &&
                std::ranges::find(strip.pipes, d.issues->code[issue.instruction].row->pipe) !=
                    strip.pipes.end())
                spans.push_back({issue.cycle, issue.busyUntil});
    }
    std::ranges::sort(spans, {}, &Span::begin);
    return spans;
}

// The most that are there at once.
u32 mostAtOnce(std::span<const Span> spans) {
    std::vector<std::pair<u64, int>> events;
    for (const Span& span : spans)
        events.emplace_back(span.begin, 1), events.emplace_back(span.end, -1);
    std::ranges::sort(events);
    int now = 0, most = 0;
    for (const auto& [cycle, change] : events)
        most = std::max(most, now += change);
    return u32(most);
}

u64 cyclesCovered(const IssueDrawing& d, std::span<const Span> spans) {
    u64 covered = 0, until = d.scale.first();
    for (const Span& span : spans) {
        const u64 begin = std::max(span.begin, until), end = std::min(span.end, d.scale.end());
        if (end > begin) covered += end - begin, until = end;
    }
    return covered;
}

constexpr f32 kColumn = 1;

// Their number over time, as tall as a part of the most.
std::vector<f32> columnsOf(const IssueDrawing& d, std::span<const Span> spans, const Rect& area) {
    std::vector<f32> columns(std::size_t(std::ceil(area.width / kColumn)));
    const auto at = [&](u64 cycle) { return (f64(cycle) - d.scale.from) * d.scale.pixels / kColumn; };
    for (const Span& span : spans) {
        const f64 from = std::max(0.0, at(span.begin)), to = std::min(f64(columns.size()), at(span.end));
        for (std::size_t c = std::size_t(from); f64(c) < to; ++c)
            columns[c] += f32(std::min(to, f64(c + 1)) - std::max(from, f64(c)));
    }
    return columns;
}

void drawArea(const IssueDrawing& d, std::span<const Span> spans, f32 most, const Rect& area, Role color) {
    const std::vector<f32> columns = columnsOf(d, spans, area);
    for (std::size_t c = 0; c < columns.size();) {
        std::size_t end = c + 1;
        while (end < columns.size() && std::fabs(columns[end] - columns[c]) < 0.01f)
            ++end;
        const f32 tall = std::min(1.0f, columns[c] / most) * area.height;
        if (tall > 0.2f)
            d.canvas.rect({area.x + f32(c) * kColumn, area.bottom() - tall, f32(end - c) * kColumn, tall},
                          {.fill = color});
        c = end;
    }
}

// Each with a place of its own, one below the other.
bool drawSpans(const IssueDrawing& d, std::span<const Span> spans, const Rect& area) {
    constexpr f32 kLine = 4;
    const std::size_t lines = std::size_t(area.height / kLine);
    std::vector<u64> freeFrom(lines, 0);
    std::vector<std::size_t> lineOf;
    for (const Span& span : spans) {
        const auto line = std::ranges::find_if(freeFrom, [&](u64 free) { return free <= span.begin; });
        if (line == freeFrom.end()) return false;
        *line = span.end;
        lineOf.push_back(std::size_t(line - freeFrom.begin()));
    }
    if (lineOf.empty()) return true;
    constexpr f32 kHighest = 8;
    const f32 line = std::min(kHighest, area.height / f32(std::ranges::max(lineOf) + 1));
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const f32 x0 = d.scale.xWithin(spans[i].begin), x1 = d.scale.xWithin(spans[i].end);
        const RequestRecord request = d.sm().requests[spans[i].request];
        const Rect place{x0, area.y + f32(lineOf[i]) * line, std::max(1.0f, x1 - x0 - 0.5f), line - 1};
        d.canvas.rect(place, {.fill = role(request.isStore ? RoleKind::Store : RoleKind::Load)});
        d.canvas.hit({place.x, place.y, place.width, line},
                     {.hover = {},
                      .hoverLater =
                          [issues = d.issues, &run = d.in.run, language = d.in.language, request] {
                              const IssueSentences sentences(run, *issues, language);
                              return sentences.request(request) + "\n" +
                                     sentences.cycles(request.begin, request.end);
                          },
                      .go = d.stepOf(request.warp, request.issue)});
    }
    return true;
}

// Requests that none of a warp's lanes makes: a hollow mark.
void drawPredicatedOff(const IssueDrawing& d, const IssueStrip& strip, const Rect& area) {
    if (strip.level != MemoryLevel::Shared || !d.scale.isExact()) return;
    for (u32 w = 0; w < d.sm().warps.size(); ++w) {
        const time::WarpRecord& warp = d.sm().warps[w];
        if (warp.subcore != d.subcore) continue;
        for (std::size_t i = firstIssue(warp, d.scale.first());
             i < warp.issues.size() && warp.issues[i].cycle < d.scale.end(); ++i) {
            const IssueRecord& issue = warp.issues[i];
            const run::TimedInstruction& instruction = d.issues->code[issue.instruction];
            if (issue.lanes || !isSharedAccess(instruction.code)) continue;
            const f32 x = d.scale.xWithin(issue.cycle), wide = std::max(4.0f, f32(d.scale.pixels));
            const Rect mark{x, area.bottom() - 8, wide, 7};
            drawPredicatedOffMark(d.canvas, mark);
            const IssueSentences sentences = d.sentences();
            d.canvas.hit(mark, {.hover = say(d.in.language, kPredicatedOff, sentences.warp(w),
                                             sentences.place(issue.instruction), grouped(issue.cycle)),
                                .go = d.stepOf(w, i)});
        }
    }
}

// Of the cursor's warp: lane 0 at the top; where a cycle has no place of its own, how many of them.
IssueStripTexts drawLanes(const IssueDrawing& d, const Rect& area) {
    const Language language = d.in.language;
    const time::WarpRecord& warp = d.sm().warps[d.smWarp];
    const std::size_t begin = firstIssue(warp, d.scale.first());
    std::size_t end = begin;
    u32 whole = 0;
    const Role color = role(RoleKind::TextSecond, 0.9f);
    for (; end < warp.issues.size() && warp.issues[end].cycle < d.scale.end(); ++end) {
        const IssueRecord& issue = warp.issues[end];
        whole += issue.lanes == ~u32{0};
        if (!d.scale.isExact()) continue;
        const f32 x = d.scale.x(issue.cycle),
                  wide = std::max(1.0f, f32(d.scale.pixels) - (d.scale.pixels > 4)),
                  lane = area.height / f32(kWarpSize);
        if (x < area.x - 0.5f || x + wide > area.right() + 0.5f) continue;
        for (u32 from = 0; from < kWarpSize;) {
            u32 to = from;
            while (to < kWarpSize && (issue.lanes >> to & 1))
                ++to;
            if (to > from)
                d.canvas.rect({x, area.y + f32(from) * lane, wide, f32(to - from) * lane}, {.fill = color});
            from = to + 1;
        }
        if (!issue.lanes) drawNoLane(d.canvas, {x, area.y, wide, area.height});
    }
    const u64 issues = end - begin;
    d.canvas.hit(area, {.hover = say(language, kLanesHover, warp.warpOfBlock, issues, kWarpSize, whole)});
    if (!d.scale.isExact()) {
        std::vector<f32> sum(std::size_t(std::ceil(area.width)) + 1), count(sum.size());
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t at =
                std::size_t(std::max(0.0f, d.scale.xWithin(warp.issues[i].cycle) - area.x));
            sum[at] += f32(LaneMask{warp.issues[i].lanes}.count()), ++count[at];
        }
        for (std::size_t x = 0; x < sum.size(); ++x) {
            const f32 tall = count[x] > 0 ? sum[x] / count[x] / f32(kWarpSize) * area.height : 0;
            if (tall > 0.2f) d.canvas.rect({area.x + f32(x), area.bottom() - tall, 1, tall}, {.fill = color});
        }
    }
    const bool isMap = d.scale.isExact();
    return {.top = std::to_string(isMap ? 0 : kWarpSize),
            .bottom = std::to_string(isMap ? kWarpSize - 1 : 0),
            .sum = issues ? say(language, kAllLanes, whole, issues) : say(language, kNoneHere)};
}

IssueStripTexts drawLevel(const IssueDrawing& d, const IssueStrip& strip, const Rect& area) {
    const Language language = d.in.language;
    const std::vector<Span> spans = requestsOnShow(d, strip.level);
    const u32 most = mostAtOnce(spans);
    d.canvas.hit(area, {.hover = say(language, kRequests, strip.name, most, d.subcore)});
    const bool isSpans = drawSpans(d, spans, area);
    if (!isSpans) {  // stores stand on loads
        std::vector<Span> loads;
        std::ranges::copy_if(spans, std::back_inserter(loads),
                             [&](const Span& span) { return !d.sm().requests[span.request].isStore; });
        if (loads.size() < spans.size()) drawArea(d, spans, f32(most), area, role(RoleKind::Store));
        drawArea(d, loads, f32(most), area, role(RoleKind::Load));
    }
    drawPredicatedOff(d, strip, area);
    if (!most) return {.top = {}, .bottom = {}, .sum = say(language, kNoneHere)};
    return {.top = isSpans ? std::string() : std::to_string(most),
            .bottom = isSpans ? std::string() : "0",
            .sum = say(language, kAtMost, most)};
}

IssueStripTexts drawPipe(const IssueDrawing& d, const IssueStrip& strip, const Rect& area) {
    const Language language = d.in.language;
    const std::vector<Span> spans = busyOnShow(d, strip);
    const bool isQueue = strip.kind == IssueStripKind::Queue;
    const u64 covered = cyclesCovered(d, spans), shown = d.scale.end() - d.scale.first();
    const u32 most = mostAtOnce(spans);
    d.canvas.hit(
        area, {.hover = isQueue ? say(language, kQueue, strip.name, d.subcore, most, strip.capacity)
                                : say(language, kPipeBusy, strip.name, d.subcore, grouped(covered), shown)});
    drawArea(d, spans, f32(strip.capacity), area, role(RoleKind::TextSecond, isQueue ? 0.55f : 0.9f));
    IssueStripTexts texts{.top = std::to_string(strip.capacity), .bottom = "0", .sum = {}};
    texts.sum = spans.empty() ? say(language, kUnused)
                : isQueue     ? say(language, kPlaces, most, strip.capacity)
                              : say(language, kBusyOf, grouped(covered), shown);
    return texts;
}

}  // namespace

LaneLooks laneLooks(const IssueDrawing& d) {
    LaneLooks looks;
    for (u32 w = 0; w < d.sm().warps.size(); ++w) {
        const time::WarpRecord& warp = d.sm().warps[w];
        if (warp.subcore != d.subcore) continue;
        for (std::size_t i = firstIssue(warp, d.scale.first());
             i < warp.issues.size() && warp.issues[i].cycle < d.scale.end(); ++i) {
            const IssueRecord& issue = warp.issues[i];
            const bool isMarked = !issue.lanes && d.scale.isExact();
            looks.some |= w == d.smWarp && issue.lanes;
            looks.none |= w == d.smWarp && isMarked;
            looks.predicatedOff |= isMarked && isSharedAccess(d.issues->code[issue.instruction].code);
        }
    }
    return looks;
}

std::vector<IssueStrip> stripsOf(const IssueDrawing& d) {
    const Language language = d.in.language;
    std::vector<IssueStrip> strips{
        {.name = say(language, kLanes, d.sm().warps[d.smWarp].warpOfBlock), .kind = IssueStripKind::Lanes}};
    std::array<bool, 4> levels{};
    for (const RequestRecord& request : d.sm().requests)
        if (d.sm().warps[request.warp].subcore == d.subcore) levels[std::size_t(request.level)] = true;
    for (std::size_t level = 0; level < levels.size(); ++level)
        if (levels[level])
            strips.push_back({.name = say(language, nameOf(MemoryLevel(level))),
                              .kind = IssueStripKind::Level,
                              .level = MemoryLevel(level)});
    std::array<bool, 13> used{};
    for (const time::WarpRecord& warp : d.sm().warps)
        if (warp.subcore == d.subcore)
            for (const IssueRecord& issue : warp.issues)
                used[std::size_t(d.issues->code[issue.instruction].row->pipe)] = true;
    const time::TimeProfile* const times = time::timeProfileOf(d.in.run.profile);
    const u32 entries = times ? times->queueEntries : 1;
    const std::array<IssueStrip, 8> all{{
        {.name = {}, .pipes = {Pipe::Fma, Pipe::FmaHeavy, Pipe::Half}, .capacity = 2},
        {.name = {}, .pipes = {Pipe::Alu}},
        {.name = {}, .pipes = {Pipe::Xu}},
        {.name = {}, .pipes = {Pipe::Fp64}},
        {.name = {}, .pipes = {Pipe::Tensor}},
        {.name = {}, .pipes = {Pipe::Uniform}},
        {.name = {}, .kind = IssueStripKind::Queue, .pipes = {Pipe::Lsu, Pipe::Adu}, .capacity = entries},
        {.name = {}, .kind = IssueStripKind::Queue, .pipes = {Pipe::Global}, .capacity = entries},
    }};
    for (IssueStrip strip : all)
        if (std::ranges::any_of(strip.pipes, [&](Pipe pipe) { return used[std::size_t(pipe)]; })) {
            strip.name = say(language, nameOf(strip.pipes.front()));
            strips.push_back(std::move(strip));
        }
    return strips;
}

IssueStripTexts drawStrip(const IssueDrawing& d, const IssueStrip& strip, const Rect& area) {
    d.canvas.line({area.x, area.bottom() + 0.5f}, {area.right(), area.bottom() + 0.5f},
                  {role(RoleKind::Line)});
    switch (strip.kind) {
        case IssueStripKind::Lanes: return drawLanes(d, area);
        case IssueStripKind::Level: return drawLevel(d, strip, area);
        case IssueStripKind::Pipe:
        case IssueStripKind::Queue: break;
    }
    return drawPipe(d, strip, area);
}

}  // namespace lockstep::viz
