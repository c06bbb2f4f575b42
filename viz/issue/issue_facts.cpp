#include "viz/issue/issue_facts.h"

#include "explain/source/source_line.h"

#include <algorithm>
#include <array>

namespace lockstep::viz {
namespace {

using time::IssueRecord;
using time::Stall;
using time::WaitRecord;
using time::WarpRecord;

u64 overlap(const WaitRecord& wait, u64 begin, u64 end) {
    const u64 from = std::max(begin, wait.begin), to = std::min(end, wait.end);
    return to > from ? to - from : 0;
}

// Of a step that no issue stands for: between the issues that stand for steps before and behind it one of its
// instruction, else of its line, else the first of them.
u32 nearestIssue(const run::Run& run, const run::IssueRun& issues, const Cursor& cursor) {
    const std::vector<u32>& steps = issues.steps[cursor.warp.value];
    const WarpRecord& warp = issues.sm.warps[issues.warps[cursor.warp.value]];
    if (warp.issues.empty()) return time::kNotRecorded;
    const u32 count = u32(warp.issues.size());
    u32 first = 0, end = count;
    for (u32 i = 0; i < steps.size(); ++i)
        if (steps[i] != run::kNoStep && steps[i] < cursor.step) first = i + 1;
    for (u32 i = first; i < steps.size(); ++i)
        if (steps[i] != run::kNoStep && steps[i] > cursor.step) {
            end = i + 1;
            break;
        }
    first = std::min(first, count - 1);
    const trace::FocusBlock* const focus = run.recording.trace.find(cursor.launch, cursor.block);
    if (!focus || cursor.step >= focus->warps[cursor.warp.value].steps.size()) return first;
    const Pc pc = focus->warps[cursor.warp.value].steps[cursor.step].pc;
    const auto pcOf = [&](u32 issue) { return issues.code[warp.issues[issue].instruction].pc; };
    for (u32 i = first; i < end; ++i)
        if (pcOf(i) == pc) return i;
    const explain::SourceLine line = explain::lineOf(*run.module, pc);
    for (u32 i = first; i < end && line.line; ++i)
        if (pcOf(i) != kNoPc && explain::lineOf(*run.module, pcOf(i)) == line) return i;
    return first;
}

std::vector<Waited> sorted(const time::StallCycles& sums) {
    std::vector<Waited> all;
    for (std::size_t i = 0; i < sums.size(); ++i)
        if (sums[i]) all.push_back({Stall(i), sums[i]});
    // Of as many cycles, what the compiler set says least.
    std::ranges::stable_sort(all, std::ranges::greater{}, [](const Waited& each) {
        return std::pair(each.cycles, each.reason != Stall::Wait);
    });
    return all;
}

// What the warps wait for in the longest stretch.
void explainLongest(const time::SmRecord& sm, u32 subcore, Idle& idle) {
    const CycleSpan& span = *idle.longest;
    time::StallCycles sums{};
    for (const WarpRecord& warp : sm.warps) {
        if (warp.subcore != subcore || warp.end <= span.begin || warp.begin >= span.end) continue;
        ++idle.warps;
        for (const Waited& waited : waitedFor(warp, span.begin, span.end))
            sums[std::size_t(waited.reason)] += waited.cycles;
    }
    const std::vector<Waited> reasons = sorted(sums);
    if (reasons.empty()) return;
    idle.reason = reasons.front().reason;
    u64 most = 0;
    for (u32 w = 0; w < sm.warps.size(); ++w) {
        if (sm.warps[w].subcore != subcore) continue;
        const WaitRecord* wait = longestWait(sm.warps[w], span.begin, span.end, idle.reason);
        if (!wait) continue;
        ++idle.waiting;
        if (const u64 cycles = overlap(*wait, span.begin, span.end); cycles > most)
            most = cycles, idle.smWarp = w, idle.wait = wait;
    }
}

// Stretches in which the sub-core has warps.
std::vector<CycleSpan> residentIn(const time::SmRecord& sm, u32 subcore, u64 begin, u64 end) {
    std::vector<CycleSpan> spans, all;
    for (const WarpRecord& warp : sm.warps)
        if (warp.subcore == subcore && warp.end > begin && warp.begin < end)
            spans.push_back({std::max(begin, warp.begin), std::min(end, warp.end)});
    std::ranges::sort(spans, {}, &CycleSpan::begin);
    for (const CycleSpan& span : spans)
        if (!all.empty() && span.begin <= all.back().end)
            all.back().end = std::max(all.back().end, span.end);
        else
            all.push_back(span);
    return all;
}

}  // namespace

IssuePlace placeOf(const run::Run& run, const run::IssueRun& issues, const Cursor& cursor) {
    IssuePlace place;
    if (cursor.warp.value >= issues.warps.size() || issues.warps[cursor.warp.value] == time::kNotRecorded)
        return place;
    place.smWarp = issues.warps[cursor.warp.value];
    const WarpRecord& warp = issues.sm.warps[place.smWarp];
    place.issues = issues.issuesOf(cursor.warp, cursor.step);
    place.marked = place.issues.empty() ? nearestIssue(run, issues, cursor) : place.issues.back();
    place.cycle = place.begin = place.waitsFrom = warp.begin;
    if (place.marked == time::kNotRecorded) return place;
    // Its machine instructions may lie far apart: the step ends with the last.
    const u32 first = place.issues.empty() ? place.marked : place.issues.front();
    place.cycle = warp.issues[place.marked].cycle;
    if (first > 0) place.begin = warp.issues[first - 1].cycle + 1;
    if (place.marked > 0) place.waitsFrom = warp.issues[place.marked - 1].cycle + 1;
    return place;
}

const IssueRecord* broughtBy(const WarpRecord& warp, const WaitRecord& wait) {
    const bool isOfValue = wait.reason == Stall::LongScoreboard || wait.reason == Stall::ShortScoreboard;
    return isOfValue && wait.issue < warp.issues.size() ? &warp.issues[wait.issue] : nullptr;
}

std::size_t firstWait(const WarpRecord& warp, u64 cycle) {
    return std::size_t(std::ranges::upper_bound(warp.waits, cycle, {}, &WaitRecord::end) -
                       warp.waits.begin());
}
std::size_t firstIssue(const WarpRecord& warp, u64 cycle) {
    return std::size_t(std::ranges::lower_bound(warp.issues, cycle, {}, &IssueRecord::cycle) -
                       warp.issues.begin());
}

u64 endOf(const time::SmRecord& sm) {
    u64 end = 1;
    for (const WarpRecord& warp : sm.warps)
        end = std::max(end, warp.end);
    return end;
}

u32 mostWarpsOf(const time::SmRecord& sm, u32 subcore) {
    std::vector<std::pair<u64, int>> events;
    for (const WarpRecord& warp : sm.warps)
        if (warp.subcore == subcore) events.emplace_back(warp.begin, 1), events.emplace_back(warp.end, -1);
    std::ranges::sort(events);
    int now = 0, most = 0;
    for (const auto& [cycle, change] : events)
        most = std::max(most, now += change);
    return u32(most);
}

f64 cyclesPerIssue(const time::SmRecord& sm, u32 subcore) {
    u64 cycles = 0, issues = 0;
    for (const WarpRecord& warp : sm.warps) {
        if (warp.subcore != subcore) continue;
        cycles += warp.end - warp.begin, issues += warp.issues.size();
        for (const WaitRecord& wait : warp.waits)
            if (wait.reason == Stall::NotSelected) cycles -= wait.end - wait.begin;
    }
    return issues ? f64(cycles) / f64(issues) : 0;
}

std::vector<Waited> waitedFor(const WarpRecord& warp, u64 begin, u64 end) {
    time::StallCycles sums{};
    for (std::size_t i = firstWait(warp, begin); i < warp.waits.size() && warp.waits[i].begin < end; ++i)
        sums[std::size_t(warp.waits[i].reason)] += overlap(warp.waits[i], begin, end);
    return sorted(sums);
}

const WaitRecord* longestWait(const WarpRecord& warp, u64 begin, u64 end, std::optional<Stall> reason) {
    const WaitRecord* longest = nullptr;
    u64 most = 0;
    for (std::size_t i = firstWait(warp, begin); i < warp.waits.size() && warp.waits[i].begin < end; ++i)
        if (const u64 cycles = overlap(warp.waits[i], begin, end);
            cycles > most && (!reason || warp.waits[i].reason == *reason))
            most = cycles, longest = &warp.waits[i];
    return longest;
}

const WaitRecord* lastWait(const WarpRecord& warp, u64 until, u64 atLeast) {
    for (std::size_t next = firstWait(warp, until); next > 0; --next)
        if (const WaitRecord& wait = warp.waits[next - 1]; wait.end - wait.begin >= atLeast) return &wait;
    return nullptr;
}

const WaitRecord* nextWait(const WarpRecord& warp, u64 from, u64 atLeast) {
    for (std::size_t next = firstWait(warp, from); next < warp.waits.size(); ++next)
        if (const WaitRecord& wait = warp.waits[next]; wait.begin >= from && wait.end - wait.begin >= atLeast)
            return &wait;
    return nullptr;
}

Idle idleOf(const time::SmRecord& sm, u32 subcore, u64 begin, u64 end) {
    std::vector<u64> issued;
    for (const WarpRecord& warp : sm.warps) {
        if (warp.subcore != subcore) continue;
        for (std::size_t i = firstIssue(warp, begin); i < warp.issues.size() && warp.issues[i].cycle < end;
             ++i)
            issued.push_back(warp.issues[i].cycle);
    }
    std::ranges::sort(issued);
    Idle idle;
    const auto add = [&](u64 from, u64 to) {
        if (to <= from) return;
        idle.stretches.push_back({from, to});
        idle.cycles += to - from;
        if (!idle.longest || to - from > idle.longest->cycles()) idle.longest = {from, to};
    };
    u64 covered = begin;
    const auto addWithout = [&](u64 to) {
        if (to > covered) idle.without.push_back({covered, to}), idle.withoutWarps += to - covered;
    };
    for (const CycleSpan& resident : residentIn(sm, subcore, begin, end)) {
        addWithout(resident.begin);
        u64 from = resident.begin;
        for (auto at = std::ranges::lower_bound(issued, from); at != issued.end() && *at < resident.end; ++at)
            add(from, *at), from = *at + 1;
        add(from, resident.end);
        covered = resident.end;
    }
    addWithout(end);
    if (idle.longest) explainLongest(sm, subcore, idle);
    return idle;
}

CycleSpan wholeOf(const Idle& all, const CycleSpan& part) {
    const auto behind = std::ranges::upper_bound(all.stretches, part.begin, {}, &CycleSpan::begin);
    if (behind == all.stretches.begin() || std::prev(behind)->end < part.end) return part;
    return *std::prev(behind);
}

void chooseLongest(const time::SmRecord& sm, u32 subcore, Idle& shown, const Idle& all) {
    const auto cyclesOf = [&](const CycleSpan& part) { return wholeOf(all, part).cycles(); };
    const auto longest = std::ranges::max_element(shown.stretches, {}, cyclesOf);
    if (longest == shown.stretches.end() || longest->begin == shown.longest->begin) return;
    shown.longest = *longest;
    shown.waiting = shown.warps = 0, shown.smWarp = time::kNotRecorded, shown.wait = nullptr;
    explainLongest(sm, subcore, shown);
}

std::vector<Waited> exposedOf(const time::SmRecord& sm, u32 subcore, const Idle& idle) {
    // From each of these cycles on one warp more, or less, waits for a reason.
    struct Event {
        u64 cycle;
        std::size_t reason;
        s32 change;
    };
    std::vector<Event> events;
    for (const WarpRecord& warp : sm.warps) {
        if (warp.subcore != subcore) continue;
        for (const WaitRecord& wait : warp.waits) {
            events.push_back({wait.begin, std::size_t(wait.reason), 1});
            events.push_back({wait.end, std::size_t(wait.reason), -1});
        }
    }
    std::ranges::sort(events, {}, &Event::cycle);
    std::array<u64, time::kStalls> waiting{};
    time::StallCycles sums{};
    std::size_t stretch = 0;
    for (std::size_t e = 0; e < events.size(); ++e) {
        waiting[events[e].reason] += u64(s64(events[e].change));
        if (e + 1 == events.size() || events[e + 1].cycle == events[e].cycle) continue;
        const std::vector<Waited> most = sorted(waiting);
        if (most.empty()) continue;
        while (stretch < idle.stretches.size() && idle.stretches[stretch].end <= events[e].cycle)
            ++stretch;
        for (std::size_t s = stretch;
             s < idle.stretches.size() && idle.stretches[s].begin < events[e + 1].cycle; ++s)
            sums[std::size_t(most.front().reason)] +=
                overlap({.begin = events[e].cycle, .end = events[e + 1].cycle}, idle.stretches[s].begin,
                        idle.stretches[s].end);
    }
    return sorted(sums);
}

}  // namespace lockstep::viz
