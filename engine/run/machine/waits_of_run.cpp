#include "run/machine/waits_of_run.h"

namespace lockstep::run {

Expected<WaitsOfRun> waitsOfRun(const Run& run, const sass::MachineCode& code, Progress* progress) {
    Expected<TimedRun> time = timeRun(run, code, {.model = {}, .progress = progress});
    if (!time) return Unexpected{time.error()};
    Expected<ChangedTimes> changes = changedTimes(run, code, progress);
    if (!changes) return Unexpected{changes.error()};
    return WaitsOfRun{.time = std::move(*time), .changes = std::move(*changes)};
}

}  // namespace lockstep::run
