// A launch of a run in time, cycle by cycle, on the SM that runs one of its blocks: what the issue timeline
// shows, and which step of the trace an issue stands for.
#pragma once

#include "run/machine/changed_times.h"
#include "run/machine/timed_run.h"

#include <memory>
#include <string>
#include <vector>

namespace lockstep::run {

// A machine instruction of the launch's kernel.
struct TimedInstruction {
    std::string opcode;  // "LDG.E"
    std::string text;    // "LDG.E R4, [R2.64]"
    Pc pc = kNoPc;       // the PTX instruction that it came from
    const sass::ClassRow* row = nullptr;
    sass::Opcode code = sass::Opcode::Nop;
    bool isStore = false;
};

// An issue that stands for no step of the trace with certainty.
inline constexpr u32 kNoStep = ~u32{0};

// The launch in time once more, all on the same SMs, with one thing about its warps changed: what hides
// latency, and how much.
struct HidingTimes {
    struct Occupancy {
        u32 blocksPerSm = 0, warpsPerSm = 0;  // resident at most
        u64 elapsedCycles = 0;
    };
    u64 elapsedCycles = 0;  // as it is
    u64 aloneCycles = 0;    // each sub-core stays with one warp until it ends or waits at a barrier
    time::SmRecord alone;   // then
    std::vector<Occupancy> occupancy;  // by resident blocks, ascending; the last one as it is
};

struct IssueRun {
    LaunchId launch;
    Dim3 block;
    time::SmRecord sm;
    std::vector<u32> warps;  // of the block: which of the SM's
    std::vector<TimedInstruction> code;
    // By warp of the block and issue: the step of the trace.
    std::vector<std::vector<u32>> steps;
    u64 elapsedCycles = 0, activeCycles = 0;  // of the launch, as far as it was simulated
    u32 clockMhz = 0, simulatedSms = 0, sms = 0;
    std::string compiler;
    Message error, errorBrief;  // of the cycles
    std::optional<f64> errorPercent{};
    // Of a launch that is small enough for them.
    std::optional<ChangedTimes> changes{};
    std::optional<HidingTimes> hiding{};

    // The warp of the block that a warp of the SM is; none: it is of another block.
    std::optional<Warp> ofBlock(u32 smWarp) const;
    // Which issues stand for a step, ascending.
    std::vector<u32> issuesOf(Warp warp, u32 step) const;
};

struct IssueOptions {
    // More warp instructions than this are timed on one SM.
    u64 wholeUpTo = 100'000;
    // Up to so many the launch is timed with changes, too.
    u64 changedUpTo = 100'000;
    Progress* progress = nullptr;
};

// Fault: why there is no time for this run, or none of this block.
Expected<IssueRun> issueRun(const Run& run, const sass::MachineCode& code, LaunchId launch, Dim3 block,
                            const IssueOptions& options = {});

// The steps of a warp's trace that its issues stand for. A PTX instruction's machine instructions that came
// to as many issues as there were steps stand for them in their order, where the lanes agree, and of accesses
// the addresses; any other issue stands for none.
std::vector<u32> stepsOfIssues(const trace::WarpTrace& trace, const time::WarpRecord& warp,
                               std::span<const TimedInstruction> code);

}  // namespace lockstep::run
