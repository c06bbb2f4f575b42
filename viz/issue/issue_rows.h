// The rows of the issue timeline: a warp each, its issues and what it waits for in between.
#pragma once

#include "viz/issue/issue_facts.h"
#include "viz/issue/issue_scale.h"

#include <vector>

namespace lockstep::viz {

// The warps of the sub-core that are there in the part of time on show, as they came.
std::vector<u32> warpsOnShow(const IssueDrawing& d);
// One warp: exactly where a cycle has a pixel, else what it did most in each of them.
void drawIssueRow(const IssueDrawing& d, u32 smWarp, const Rect& row);
// Beside the row: what the warp waits for most in the part on show, and for how many cycles.
void drawMostWaited(const IssueDrawing& d, u32 smWarp, const Rect& place);
// Below the rows: the cycles in which no warp issues, of the longest stretch why, and hatched those in which
// there is no warp. all: of all cycles, for how long a stretch is that the picture cuts.
void drawIdle(const IssueDrawing& d, const Idle& idle, const Idle& all, const Rect& area);
// Below them: numbers of cycles, but where something else stands.
void drawCycles(const IssueDrawing& d, f32 y, f32 leaveFrom, f32 leaveTo);
// Which reasons and kinds of instruction these rows and the requests have in the part on show.
struct IssueLooks {
    Reasons reasons{};
    std::array<bool, kWaitLooks> waits{};  // those that have one of the reasons
    std::array<bool, 5> kinds{};

    bool reductions = false;  // atomics without a result among the stores

    void add(const run::TimedInstruction& instruction);
    void add(const IssueLooks& more);
};
IssueLooks looksOnShow(const IssueDrawing& d, std::span<const u32> warps);

}  // namespace lockstep::viz
