#include "run/machine/changed_times.h"

#include <algorithm>

namespace lockstep::run {
namespace {

constexpr Words kOtherWay = english("with this change the kernel would execute other instructions");
constexpr Words kAlready = english("that is so already");
// More warp instructions than this are timed on some SMs.
constexpr u64 kWholeUpTo = 300'000;

}  // namespace

Expected<ChangedTimes> changedTimes(const Run& run, const sass::MachineCode& code) {
    if (const Expected<void> possible = canBeTimed(run); !possible) return Unexpected{possible.error()};
    const Launch& launch = run.recording.launches.front();
    const Expected<time::Program> program = timedProgram(run, launch, code);
    if (!program) return Unexpected{program.error()};
    // options: what is changed, and a limit.
    const auto timed = [&](time::TimeOptions options) {
        if (run.statistics.warpInstructions > kWholeUpTo) options.sms = smsWithin(run, kWholeUpTo, 1);
        std::vector<Buffer> buffers = run.recording.initial;
        const simt::DeviceMemory memory(*run.module, buffers);
        return time::timeLaunch(*program, memory, run.profile, *time::timeProfileOf(run.profile),
                                code.find(launch.entry)->registers, options);
    };
    const Expected<time::LaunchTime> own = timed({});
    if (!own) return Unexpected{own.error()};
    ChangedTimes result{
        .elapsedCycles = own->elapsedCycles, .simulatedSms = own->simulatedSms, .changes = {}};
    const u64 blocksOfSm = (launch.grid.count() + own->sms - 1) / own->sms;
    const auto resident = [&](const time::LaunchTime& time) {
        return std::min<u64>(time.blocksPerSm, blocksOfSm);
    };
    for (const time::ChangeRow& row : time::kChanges) {
        ChangedTime& changed = result.changes.emplace_back(ChangedTime{.row = &row});
        const u64 instructions = own->counts.warpInstructions;
        const Expected<time::LaunchTime> time =
            timed({.mostWarpInstructions = 2 * instructions + 1, .change = row.change});
        if (!time || time->counts.warpInstructions != instructions) {
            changed.why = Message(kOtherWay);
            continue;
        }
        changed.elapsedCycles = time->elapsedCycles;
        if (row.isOfOccupancy && resident(*time) == resident(*own)) changed.why = Message(kAlready);
    }
    return result;
}

}  // namespace lockstep::run
