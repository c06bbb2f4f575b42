#include "run/machine/changed_times.h"

#include "run/machine/launch_timer.h"

#include <algorithm>

namespace lockstep::run {
namespace {

constexpr Words kOtherWay = english("with this change the kernel would execute other instructions");
constexpr Words kAlready = english("that is so already");
// Of more warp instructions than this a part is timed.
constexpr u64 kWholeUpTo = 300'000;

}  // namespace

Expected<ChangedTimes> changedTimes(const Run& run, const sass::MachineCode& code, Progress* progress,
                                    std::optional<time::Change> only) {
    if (const Expected<void> possible = canBeTimed(run); !possible) return Unexpected{possible.error()};
    const Launch& launch = run.recording.launches.front();
    const Expected<LaunchTimer> timer = LaunchTimer::make(run, launch, code);
    if (!timer) return Unexpected{timer.error()};
    // options: what is changed, and a limit.
    const auto timed = [&](time::TimeOptions options) {
        options.share = shareWithin(run, kWholeUpTo);
        if (progress) options.cancelled = &progress->cancelled;
        return timer->time(options);
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
        if (only && row.change != *only) continue;
        ChangedTime& changed = result.changes.emplace_back(ChangedTime{.row = &row});
        const u64 instructions = own->counts.warpInstructions;
        time::TimeOptions options{.change = row.change};
        // How many blocks are resident decides which of them are timed, where not all are.
        if (!row.isOfOccupancy) options.mostWarpInstructions = 2 * instructions + 1;
        const Expected<time::LaunchTime> time = timed(options);
        if (!time && time.error().kind == FaultKind::Cancelled) return Unexpected{time.error()};
        if (!time || (time->simulatedBlocks == own->simulatedBlocks &&
                      time->counts.warpInstructions != instructions)) {
            changed.why = Message(kOtherWay);
            continue;
        }
        changed.elapsedCycles = time->elapsedCycles;
        if (row.isOfOccupancy && resident(*time) == resident(*own)) changed.why = Message(kAlready);
    }
    return result;
}

}  // namespace lockstep::run
