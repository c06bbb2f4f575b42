// What the issue timeline reads off the record of an SM: where the cursor's step is, what a warp waited for,
// and when no warp of a sub-core issues.
#pragma once

#include "run/machine/issue_run.h"
#include "viz/cursor/cursor.h"

#include <optional>
#include <vector>

namespace lockstep::viz {

// The issue that the cursor is at.
struct IssuePlace {
    u32 smWarp = 0;
    std::vector<u32> issues;  // that stand for its step; none: no instruction does so for certain
    u32 marked =
        time::kNotRecorded;    // the last of these, else the nearest one of the step's line or behind it
    u64 begin = 0, cycle = 0;  // from behind the issue before up to the marked one
    u64 waitsFrom = 0;         // behind the issue before the marked one

    bool isCertain() const { return !issues.empty(); }
};
IssuePlace placeOf(const run::Run& run, const run::IssueRun& issues, const Cursor& cursor);

// Cycles of a warp by reason, those of most first; not those in which it issues.
struct Waited {
    time::Stall reason = time::Stall::Wait;
    u64 cycles = 0;
};
std::vector<Waited> waitedFor(const time::WarpRecord& warp, u64 begin, u64 end);
// Of its waits the one that has most cycles there, of this reason or of any; null: none.
const time::WaitRecord* longestWait(const time::WarpRecord& warp, u64 begin, u64 end,
                                    std::optional<time::Stall> reason = {});
// The last one of so many cycles that has ended by then; null: none.
const time::WaitRecord* lastWait(const time::WarpRecord& warp, u64 until, u64 atLeast = 1);
// The first one that begins from then on.
const time::WaitRecord* nextWait(const time::WarpRecord& warp, u64 from, u64 atLeast = 1);

// Of a wait for a value the issue that brings it; none: it waits for something else, or that is not recorded.
const time::IssueRecord* broughtBy(const time::WarpRecord& warp, const time::WaitRecord& wait);

// The first wait that ends behind a cycle, and the first issue from it on.
std::size_t firstWait(const time::WarpRecord& warp, u64 cycle);
std::size_t firstIssue(const time::WarpRecord& warp, u64 cycle);

// The cycle in which the last of its warps has ended.
u64 endOf(const time::SmRecord& sm);

// The most warps that a sub-core has at once.
u32 mostWarpsOf(const time::SmRecord& sm, u32 subcore);
// Cycles of a sub-core's warps for each instruction that they issue, without those in which a warp is ready
// but another one issues: so many warps would issue in every cycle. 0: they issue nothing.
f64 cyclesPerIssue(const time::SmRecord& sm, u32 subcore);

struct CycleSpan {
    u64 begin = 0, end = 0;
    u64 cycles() const { return end - begin; }
};
// Stretches of cycles in which no warp of a sub-core issues, while it has warps.
struct Idle {
    std::vector<CycleSpan> stretches;
    u64 cycles = 0;                    // all together
    std::vector<CycleSpan> without;    // stretches in which it has no warp
    u64 withoutWarps = 0;              // cycles, all of these together
    std::optional<CycleSpan> longest;  // none: some warp issues in every cycle
    // Of the longest: what most of its warps' cycles go to, how many of its warps wait for it, and one of
    // them.
    time::Stall reason = time::Stall::Wait;
    u32 waiting = 0, warps = 0;
    u32 smWarp = time::kNotRecorded;
    const time::WaitRecord* wait = nullptr;
};
Idle idleOf(const time::SmRecord& sm, u32 subcore, u64 begin, u64 end);
// Of a stretch that a picture cuts, the stretch among all of them.
CycleSpan wholeOf(const Idle& all, const CycleSpan& part);
// Of the stretches on show the longest one as a whole takes the place of the one that is longest there.
void chooseLongest(const time::SmRecord& sm, u32 subcore, Idle& shown, const Idle& all);
// The cycles of a sub-core in which none of its warps issues, each under what most of them wait for then;
// those of most first. Together no more than its idle cycles.
std::vector<Waited> exposedOf(const time::SmRecord& sm, u32 subcore, const Idle& idle);

}  // namespace lockstep::viz
