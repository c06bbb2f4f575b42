#include "run/machine/changed_times.h"

#include "time/machine/run_launch.h"

#include <algorithm>
#include <atomic>

namespace lockstep::run {
namespace {

constexpr Words kOtherWay = english("with this change the kernel would execute other instructions");
constexpr Words kAlready = english("that is so already");

// Memory as it is before a launch: its machine code is executed from the first launch on.
Expected<std::vector<Buffer>> memoryBefore(const Run& run, const sass::MachineCode& code, LaunchId launch,
                                           const ChangeOptions& options) {
    std::vector<Buffer> buffers = run.recording.initial;
    const simt::DeviceMemory memory(*run.module, buffers);
    for (u32 before = 0; before < launch.value; ++before) {
        const Expected<time::Program> program = timedProgram(run, run.recording.launches[before], code);
        if (!program) return Unexpected{program.error()};
        const auto counts = time::runLaunch(
            *program, memory, {.cancelled = options.progress ? &options.progress->cancelled : nullptr});
        if (!counts) return Unexpected{counts.error()};
    }
    return buffers;
}

class Changer {
public:
    Changer(const Run& run, const time::Program& program, std::optional<u32> registers,
            const std::vector<Buffer>& before, const ChangeOptions& options)
        : run_(run), program_(program), registers_(registers), before_(before), options_(options) {
        const u64 instructions = run.statistics.warpInstructions;
        const u32 sms = run.profile.multiprocessors;
        if (instructions > options.wholeUpTo)
            sms_ = std::clamp<u32>(u32(u64{sms} * options.wholeUpTo / instructions), 1, sms);
    }

    // most: warp instructions; 0: as many as the model allows.
    Expected<time::LaunchTime> time(time::Change change, u64 most) const {
        std::vector<Buffer> buffers = before_;
        const simt::DeviceMemory memory(*run_.module, buffers);
        std::atomic<u64> issued{0};
        time::TimeOptions options{.sms = sms_, .change = change};
        if (most) options.mostWarpInstructions = most;
        if (options_.progress) options.cancelled = &options_.progress->cancelled;
        options.issued = &issued;
        Expected<time::LaunchTime> result = time::timeLaunch(
            program_, memory, run_.profile, *time::timeProfileOf(run_.profile), registers_, options);
        if (options_.progress) options_.progress->done += issued;
        return result;
    }

private:
    const Run& run_;
    const time::Program& program_;
    std::optional<u32> registers_;
    const std::vector<Buffer>& before_;
    ChangeOptions options_;
    u32 sms_ = 0;
};

}  // namespace

Expected<ChangedTimes> changedTimes(const Run& run, const sass::MachineCode& code, LaunchId launch,
                                    const ChangeOptions& options) {
    if (const Expected<void> possible = canBeTimed(run); !possible) return Unexpected{possible.error()};
    const Launch& of = run.recording.launches[launch.value];
    const Expected<time::Program> program = timedProgram(run, of, code);
    if (!program) return Unexpected{program.error()};
    const Expected<std::vector<Buffer>> before = memoryBefore(run, code, launch, options);
    if (!before) return Unexpected{before.error()};
    const Changer changer(run, *program, code.find(of.entry)->registers, *before, options);
    const Expected<time::LaunchTime> own = changer.time(time::Change::None, 0);
    if (!own) return Unexpected{own.error()};
    ChangedTimes result{.launch = launch,
                        .elapsedCycles = own->elapsedCycles,
                        .blocksPerSm = own->blocksPerSm,
                        .simulatedSms = own->simulatedSms,
                        .sms = own->sms,
                        .changes = {}};
    if (options.progress)
        options.progress->total = own->counts.warpInstructions * (1 + time::kChanges.size());
    // Blocks of an SM that does not get as many.
    const u64 blocksOfSm = (of.grid.count() + own->sms - 1) / own->sms;
    for (const time::ChangeRow& row : time::kChanges) {
        ChangedTime& changed = result.changes.emplace_back(ChangedTime{.row = &row});
        const Expected<time::LaunchTime> time =
            changer.time(row.change, 2 * own->counts.warpInstructions + 1);
        if (!time && time.error().kind == FaultKind::Cancelled) return Unexpected{time.error()};
        if (!time || time->counts.warpInstructions != own->counts.warpInstructions) {
            changed.why = Message(kOtherWay);
            continue;
        }
        changed.elapsedCycles = time->elapsedCycles;
        changed.blocksPerSm = time->blocksPerSm;
        const bool isOccupancy =
            row.change == time::Change::MoreWarps || row.change == time::Change::OneBlock;
        if (isOccupancy &&
            std::min<u64>(time->blocksPerSm, blocksOfSm) == std::min<u64>(own->blocksPerSm, blocksOfSm))
            changed.why = Message(kAlready);
    }
    return result;
}

}  // namespace lockstep::run
