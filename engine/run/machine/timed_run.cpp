#include "run/machine/timed_run.h"

#include "base/check.h"
#include "base/text/counted.h"
#include "run/machine/launch_timer.h"
#include "time/machine/run_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>
#include <map>

namespace lockstep::run {
namespace {

// The model takes about eight times as long as the check of an instruction.
constexpr f64 kShareBesideCheck = 1.0 / 8;
constexpr u64 kMostBesideCheck = 20'000'000;

Unexpected noTime(Message why) { return fail(FaultKind::Unsupported, std::move(why)); }

// Whether what the kernel leaves in memory is decided by the kernel: not where threads race, or read what
// nobody wrote.
bool isDecided(const Run& run) {
    return std::ranges::none_of(run.recording.findings, [](const trace::Finding& finding) {
        return finding.kind == trace::FindingKind::Race ||
               finding.kind == trace::FindingKind::UninitializedRead;
    });
}

}  // namespace

f64 shareWithin(const Run& run, u64 warpInstructions) {
    return std::min(1.0, f64(warpInstructions) / f64(std::max<u64>(1, run.statistics.warpInstructions)));
}

namespace {

// Of launches one after the other that of the longest.
void addError(TimedRun& timed, const time::TimeProfile& times) {
    const time::LaunchTime& longest =
        *std::ranges::max_element(timed.launches, {}, &time::LaunchTime::elapsedCycles);
    const time::LaunchKind kind = time::kindOf(longest.elapsedCycles, time::sumOf(longest.stalls));
    const time::KnownError& known = times.errors[std::size_t(kind)];
    if (!known.launches) {
        timed.error = timed.errorBrief = english("error not measured yet");
        return;
    }
    timed.errorPercent = known.meanPercent;
    const std::string mean = fmt::format("{:.0f}", known.meanPercent);
    timed.error = Message(english("mean error {0}% on {1} other {1:launch|launches} of this kind"), mean,
                          known.launches);
    timed.errorBrief = Message(english("mean error {0}%"), mean);
}

// Whether it adds floats up in global memory: then the sums depend on the order in which warps come, and any
// order is as right.
bool addsFloats(const time::Program& program) {
    return std::ranges::any_of(program.ops, [](const time::Op& op) {
        const sass::Modifiers& modifiers = op.instruction->modifiers;
        return op.space == time::MemorySpace::Global &&
               (op.action == time::MemoryAction::Atomic || op.action == time::MemoryAction::Reduction) &&
               (modifiers.has(sass::Modifier::F32) || modifiers.has(sass::Modifier::F64));
    });
}

// As far as sums in different orders may be apart: of thousands of numbers of both signs.
bool isSumInOtherOrder(const Buffer& is, const Buffer& must) {
    const f64 tolerance = must.type == ElementType::F32 ? 1e-4 : must.type == ElementType::F64 ? 1e-11 : 0;
    f64 largest = 0;
    for (u64 i = 0; tolerance > 0 && i < must.count(); ++i)
        if (const f64 value = std::abs(must.valueAt(i)); std::isfinite(value))
            largest = std::max(largest, value);
    for (u64 i = 0; i < must.count(); ++i) {
        const f64 one = is.valueAt(i), other = must.valueAt(i);
        const bool isNear = std::abs(one - other) <= tolerance * largest;
        if (one != other && !isNear && !(std::isnan(one) && std::isnan(other))) return false;
    }
    return true;
}

// How memory is compared with what the PTX left.
struct Comparison {
    bool isPart = false;  // some blocks were executed, and only what they stored is compared
    bool ofSums = false;
};

std::optional<Fault> firstDifference(const Run& run, std::span<const Buffer> buffers, Comparison how) {
    const auto differs = [&](std::size_t b) {
        const std::vector<std::byte>&is = buffers[b].bytes, &must = run.recording.final[b].bytes,
              &was = run.recording.initial[b].bytes;
        if (!how.isPart)
            return is != must && !(how.ofSums && isSumInOtherOrder(buffers[b], run.recording.final[b]));
        for (std::size_t i = 0; i < is.size(); ++i)
            if (is[i] != must[i] && is[i] != was[i]) return true;
        return false;
    };
    for (std::size_t b = 0; b < buffers.size(); ++b)
        if (differs(b))
            return noTime(Message(english("its machine code leaves something else in {0} than its PTX"),
                                  run.recording.final[b].name))
                .value();
    return std::nullopt;
}

// One block in so many is checked.
u64 blocksBetweenChecks(const Run& run, const time::Program& program, u64 most) {
    const bool addsUp = std::ranges::any_of(program.ops, [](const time::Op& op) {
        return op.space == time::MemorySpace::Global &&
               (op.action == time::MemoryAction::Atomic || op.action == time::MemoryAction::Reduction);
    });
    if (addsUp || run.recording.launches.size() != 1) return 1;
    return std::max<u64>(1, (run.statistics.warpInstructions + most - 1) / std::max<u64>(1, most));
}

std::optional<Fault> differentSectors(const Run& run, u64 loads, u64 stores) {
    struct Row {
        const char* metric;
        u64 counted;
        Words what;
    };
    const std::array rows{
        Row{"l1tex__t_sectors_pipe_lsu_mem_global_op_ld", loads,
            english("its machine code loads {0} {0:sector|sectors} of global memory, its PTX {1}")},
        Row{"l1tex__t_sectors_pipe_lsu_mem_global_op_st", stores,
            english("its machine code stores {0} {0:sector|sectors} of global memory, its PTX {1}")},
    };
    for (const Row& row : rows) {
        const auto found = run.report.counters.find(row.metric);
        if (found == run.report.counters.end() || u64(found->second) == row.counted) continue;
        return noTime(Message(row.what, grouped(row.counted), grouped(u64(found->second)))).value();
    }
    return std::nullopt;
}

void addLines(const Run& run, const time::Program& program, const time::LaunchTime& time,
              std::map<std::pair<std::string, u32>, TimedLine>& lines) {
    for (std::size_t i = 0; i < time.stalls.size(); ++i) {
        const Pc pc = program.code[i].pc;
        const ptx::Location location = pc == kNoPc || pc.value >= run.module->instructions.size()
                                           ? ptx::Location{}
                                           : run.module->locationOf(pc);
        const std::string file = location.line ? run.module->files[location.file] : std::string();
        TimedLine& line = lines[{file, location.line}];
        line.file = file;
        line.line = location.line;
        line.issued += time.stalls[i][std::size_t(time::Stall::Selected)];
        for (std::size_t s = 0; s < time::kStalls; ++s) {
            line.stalls[s] += time.stalls[i][s];
            line.exposed[s] += time.exposed[i][s];
        }
    }
}

// A launch in time, and executed to its end. Where only a part is timed, that has memory of its own, and all
// blocks are executed beside it, for the check.
struct TimedAndChecked {
    const Run& run;
    const time::Program& program;
    const simt::DeviceMemory& memory;  // left as the launch leaves it
    const time::TimeProfile& times;
    std::optional<u32> registers;
    std::span<const Buffer> buffers;  // of this memory
    time::TimeOptions model;
    u64 oneBlockIn = 1;  // so many is checked
    Progress* progress = nullptr;
    u64 loads = 0, stores = 0;  // sectors of global memory
    u64 checkedBlocks = 0;

    Expected<time::LaunchTime> execute() {
        const bool isWhole = model.share >= 1 && (!model.sms || model.sms >= run.profile.multiprocessors);
        return isWhole ? whole() : part();
    }

private:
    Expected<time::LaunchTime> whole() {
        if (progress) {
            model.cancelled = &progress->cancelled;
            model.issued = &progress->done;
        }
        Expected<time::LaunchTime> time =
            time::timeLaunch(program, memory, run.profile, times, registers, model);
        if (time) {
            loads = time->counts.globalLoadSectors;
            stores = time->counts.globalStoreSectors;
        }
        return time;
    }

    Expected<time::LaunchTime> part() {
        constexpr std::chrono::milliseconds kLook{20};
        std::vector<Buffer> copies(buffers.begin(), buffers.end());
        const simt::DeviceMemory copied(*run.module, copies);
        std::atomic<bool> stopped{false};
        std::future<Expected<time::LaunchCounts>> checked = std::async(std::launch::async, [&] {
            return time::runLaunch(program, memory,
                                   {.warpInstructions = model.mostWarpInstructions,
                                    .oneBlockIn = oneBlockIn,
                                    .cancelled = &stopped,
                                    .executed = progress ? &progress->done : nullptr});
        });
        if (progress) model.cancelled = &progress->cancelled;
        Expected<time::LaunchTime> time =
            time::timeLaunch(program, copied, run.profile, times, registers, model);
        while (checked.wait_for(kLook) != std::future_status::ready)
            if (!time || (progress && progress->cancelled)) stopped = true;
        const Expected<time::LaunchCounts> counts = checked.get();
        if (!time) return time;
        if (!counts) return Unexpected{counts.error()};
        loads = counts->globalLoadSectors;
        stores = counts->globalStoreSectors;
        checkedBlocks = counts->blocks;
        return time;
    }
};

}  // namespace

Expected<void> canBeTimed(const Run& run) {
    if (!time::timeProfileOf(run.profile) || !run.profile.speed)
        return noTime(Message(english("there is no time model of {0} ({1}): its times were not measured"),
                              run.profile.card, run.profile.name));
    if (!run.emulated || !run.recording.complete || run.recording.sample)
        return noTime(
            english("the emulator did not run the whole kernel, so that its machine code cannot be checked"));
    if (run.hasFaults() && isDecided(run))
        return noTime(english("the kernel has problems that a GPU may stop it for; fix them first"));
    return {};
}

Expected<TimedRun> timeRun(const Run& run, const sass::MachineCode& code, const TimingOptions& options) {
    if (const Expected<void> possible = canBeTimed(run); !possible) return Unexpected{possible.error()};
    const time::TimeProfile* const times = time::timeProfileOf(run.profile);
    TimedRun timed{
        .clockMhz = run.profile.speed->clockMhz, .compiler = code.compiler, .error = {}, .errorBrief = {}};
    if (options.progress)
        options.progress->total = std::min(run.statistics.warpInstructions, options.mostChecked);
    std::vector<Buffer> buffers = run.recording.initial;
    const simt::DeviceMemory memory(*run.module, buffers);
    u64 loads = 0, stores = 0;
    bool ofSums = false;
    time::StallCycles stalls{};
    std::map<std::pair<std::string, u32>, TimedLine> lines;
    for (const Launch& launch : run.recording.launches) {
        const Expected<time::Program> program = timedProgram(run, launch, code, memory);
        if (!program) return Unexpected{program.error()};
        TimedAndChecked work{.run = run,
                             .program = *program,
                             .memory = memory,
                             .times = *times,
                             .registers = code.find(launch.entry)->registers,
                             .buffers = buffers,
                             .model = options.model,
                             .oneBlockIn = blocksBetweenChecks(run, *program, options.mostChecked),
                             .progress = options.progress};
        if (!work.model.sms)
            work.model.share = std::max(shareWithin(run, options.wholeUpTo),
                                        std::min(kShareBesideCheck, shareWithin(run, kMostBesideCheck)));
        if (&launch - run.recording.launches.data() != std::ptrdiff_t(options.recordedLaunch.value))
            work.model.record = nullptr;
        const Expected<time::LaunchTime> time = work.execute();
        if (!time) return Unexpected{time.error()};
        ofSums |= addsFloats(*program);
        loads += work.loads;
        stores += work.stores;
        if (!time->isWhole() && work.checkedBlocks < time->blocks) timed.checkedBlocks = work.checkedBlocks;
        timed.isWhole &= time->isWhole();
        timed.elapsedCycles += time->elapsedCycles;
        timed.activeCycles += time->activeCycles;
        const time::StallCycles own = time::sumOf(time->stalls);
        for (std::size_t s = 0; s < time::kStalls; ++s)
            stalls[s] += own[s];
        addLines(run, *program, *time, lines);
        timed.launches.push_back(*time);
    }
    if (isDecided(run))
        if (const std::optional<Fault> different =
                firstDifference(run, buffers, {timed.checkedBlocks.has_value(), ofSums}))
            return Unexpected{*different};
    if (!timed.checkedBlocks)
        if (const std::optional<Fault> different = differentSectors(run, loads, stores))
            return Unexpected{*different};
    timed.microseconds = f64(timed.elapsedCycles) / timed.clockMhz;
    timed.stalls = time::stallsPerIssue(stalls);
    addError(timed, *times);
    for (auto& [place, line] : lines)
        timed.lines.push_back(std::move(line));
    return timed;
}

}  // namespace lockstep::run
