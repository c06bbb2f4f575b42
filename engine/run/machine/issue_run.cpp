#include "run/machine/issue_run.h"

#include "run/machine/launch_timer.h"
#include "sass/decode.h"

#include <algorithm>
#include <map>

namespace lockstep::run {
namespace {

std::vector<TimedInstruction> instructionsOf(const sass::Function& function,
                                             const sass::DecodedFunction& decoded) {
    std::vector<TimedInstruction> all;
    for (std::size_t i = 0; i < decoded.instructions.size(); ++i) {
        const sass::Instruction& listed = function.instructions[i];
        const sass::DecodedInstruction& instruction = decoded.instructions[i];
        std::string text = listed.guard.empty() ? listed.opcode : listed.guard + " " + listed.opcode;
        if (!listed.operands.empty()) text += " " + listed.operands;
        const sass::Opcode code = instruction.row->opcode;
        all.push_back(
            {.opcode = listed.opcode,
             .text = std::move(text),
             .pc = instruction.pc,
             .row = &sass::info(instruction.row->timing),
             .code = code,
             .isStore = code == sass::Opcode::Stg || code == sass::Opcode::Sts || code == sass::Opcode::Stl});
    }
    return all;
}

// Issues and steps that may be pairs, in the order of either.
class Pairing {
public:
    Pairing(const trace::WarpTrace& trace, const time::WarpRecord& warp, std::vector<u32>& steps)
        : trace_(trace), warp_(warp), steps_(steps) {}

    bool pair(std::span<const u32> issues, std::span<const u32> steps) {
        if (issues.size() != steps.size()) return false;
        for (std::size_t i = 0; i < issues.size(); ++i)
            if (!agree(warp_.issues[issues[i]], trace_.steps[steps[i]])) return false;
        for (std::size_t i = 0; i < issues.size(); ++i)
            steps_[issues[i]] = steps[i];
        return true;
    }

private:
    bool agree(const time::IssueRecord& issue, const trace::Step& step) const {
        if (issue.lanes != step.active.bits) return false;
        if (step.access == trace::Step::kNone || issue.request == time::kNotRecorded) return true;
        const trace::StoredAccess& access = trace_.accesses[step.access];
        return access.space == trace::Space::Local || access.space == trace::Space::Shared ||
               issue.address == access.base;
    }

    const trace::WarpTrace& trace_;
    const time::WarpRecord& warp_;
    std::vector<u32>& steps_;
};

// The launch with other numbers of warps that may take turns. None: it could not be timed so.
std::optional<HidingTimes> hidingTimes(const Run& run, const sass::MachineCode& code, const Launch& launch,
                                       u64 block, Progress* progress) {
    const Expected<LaunchTimer> timer = LaunchTimer::make(run, launch, code);
    if (!timer) return std::nullopt;
    const auto timed = [&](time::TimeOptions options) {
        options.sms = 1;
        if (progress) options.cancelled = &progress->cancelled;
        return timer->time(options);
    };
    const Expected<time::LaunchTime> own = timed({});
    if (!own) return std::nullopt;
    HidingTimes times{.elapsedCycles = own->elapsedCycles, .aloneCycles = 0, .alone = {}, .occupancy = {}};
    const u64 most = 4 * own->counts.warpInstructions + 1;  // a warp that polls another one would never end
    const Expected<time::LaunchTime> alone = timed({.mostWarpInstructions = most,
                                                    .change = time::Change::OneWarpAtATime,
                                                    .record = &times.alone,
                                                    .recordedBlock = block});
    if (!alone) return std::nullopt;
    times.aloneCycles = alone->elapsedCycles;
    const u32 warps = u32((launch.block.count() + kWarpSize - 1) / kWarpSize);
    const u64 blocksOfSm = (launch.grid.count() + own->sms - 1) / own->sms;
    const u32 resident = u32(std::min<u64>(own->blocksPerSm, blocksOfSm));
    for (u32 blocks = 1; blocks < resident; blocks *= 2) {
        const Expected<time::LaunchTime> fewer =
            timed({.mostWarpInstructions = most, .mostBlocksPerSm = blocks});
        if (fewer) times.occupancy.push_back({blocks, blocks * warps, fewer->elapsedCycles});
    }
    times.occupancy.push_back({resident, resident * warps, own->elapsedCycles});
    return times;
}

}  // namespace

std::vector<u32> stepsOfIssues(const trace::WarpTrace& trace, const time::WarpRecord& warp,
                               std::span<const TimedInstruction> code) {
    std::vector<u32> steps(warp.issues.size(), kNoStep);
    std::map<u32, std::vector<u32>> stepsOfPc, issuesOfPc;
    for (u32 s = 0; s < trace.steps.size(); ++s)
        if (!trace.steps[s].active.empty()) stepsOfPc[trace.steps[s].pc.value].push_back(s);
    for (u32 i = 0; i < warp.issues.size(); ++i)
        if (const Pc pc = code[warp.issues[i].instruction].pc; pc != kNoPc && warp.issues[i].lanes)
            issuesOfPc[pc.value].push_back(i);
    Pairing pairing(trace, warp, steps);
    for (const auto& [pc, issues] : issuesOfPc) {
        const auto found = stepsOfPc.find(pc);
        if (found == stepsOfPc.end()) continue;
        const bool isAccess = trace.steps[found->second.front()].access != trace::Step::kNone;
        // Of an access what makes it, not what works out its address.
        std::vector<u32> own;
        for (const u32 issue : issues)
            if (!isAccess || warp.issues[issue].request != time::kNotRecorded) own.push_back(issue);
        if (pairing.pair(own, found->second) || isAccess) continue;
        std::map<u32, std::vector<u32>> byInstruction;
        for (const u32 issue : own)
            byInstruction[warp.issues[issue].instruction].push_back(issue);
        for (const auto& [instruction, issuesOfIt] : byInstruction)
            pairing.pair(issuesOfIt, found->second);
    }
    return steps;
}

std::optional<Warp> IssueRun::ofBlock(u32 smWarp) const {
    const auto found = std::ranges::find(warps, smWarp);
    return found == warps.end() ? std::nullopt : std::optional(Warp{u32(found - warps.begin())});
}

std::vector<u32> IssueRun::issuesOf(Warp warp, u32 step) const {
    std::vector<u32> found;
    if (warp.value >= steps.size()) return found;
    for (u32 i = 0; i < steps[warp.value].size(); ++i)
        if (steps[warp.value][i] == step) found.push_back(i);
    return found;
}

Expected<IssueRun> issueRun(const Run& run, const sass::MachineCode& code, LaunchId launch, Dim3 block,
                            const IssueOptions& options) {
    if (const Expected<void> possible = canBeTimed(run); !possible) return Unexpected{possible.error()};
    const Launch& of = run.recording.launches[launch.value];
    const trace::FocusBlock* const focus = run.recording.trace.find(launch, block);
    const sass::Function* const function = code.find(of.entry);
    if (!function || !focus) return fail(FaultKind::Unsupported, english("this block was not recorded"));
    IssueRun result{.launch = launch,
                    .block = block,
                    .sm = {},
                    .warps = std::vector<u32>(focus->warps.size(), time::kNotRecorded),
                    .code = {},
                    .steps = {},
                    .compiler = {},
                    .error = {},
                    .errorBrief = {}};
    const Expected<sass::DecodedFunction> decoded = sass::decode(*function);
    if (!decoded) return Unexpected{decoded.error()};
    result.code = instructionsOf(*function, *decoded);
    TimingOptions timing{
        .model = {}, .recordedLaunch = launch, .wholeUpTo = ~u64{0}, .progress = options.progress};
    if (run.statistics.warpInstructions > options.wholeUpTo) timing.model.sms = 1;
    timing.model.record = &result.sm;
    timing.model.recordedBlock = linearOf(block, of.grid);
    const Expected<TimedRun> timed = timeRun(run, code, timing);
    if (!timed) return Unexpected{timed.error()};
    const time::LaunchTime& time = timed->launches[launch.value];
    result.elapsedCycles = time.elapsedCycles;
    result.activeCycles = time.activeCycles;
    result.simulatedSms = time.simulatedSms;
    result.sms = time.sms;
    result.clockMhz = timed->clockMhz;
    result.compiler = timed->compiler;
    result.error = timed->error;
    result.errorBrief = timed->errorBrief;
    result.errorPercent = timed->errorPercent;
    result.steps.resize(focus->warps.size());
    for (u32 w = 0; w < result.sm.warps.size(); ++w) {
        const time::WarpRecord& warp = result.sm.warps[w];
        if (warp.block != timing.model.recordedBlock || warp.warpOfBlock >= focus->warps.size()) continue;
        result.warps[warp.warpOfBlock] = w;
        result.steps[warp.warpOfBlock] = stepsOfIssues(focus->warps[warp.warpOfBlock], warp, result.code);
    }
    const u64 instructions = run.statistics.warpInstructions;
    if (instructions <= options.changedUpTo && launch.value == 0)
        if (Expected<ChangedTimes> changes = changedTimes(run, code, options.progress))
            result.changes = std::move(*changes);
    // Of one SM with its share of the blocks.
    const u64 sms = std::clamp<u64>(of.grid.count(), 1, std::max(1u, time.sms));
    if (instructions / sms <= options.changedUpTo)
        result.hiding = hidingTimes(run, code, of, timing.model.recordedBlock, options.progress);
    return result;
}

}  // namespace lockstep::run
