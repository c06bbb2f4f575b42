// Does it matter? A run's first launch in time with one thing changed in the model, beside the launch as it
// is: what each would save. Nothing here is measured; all are the same model's times, on the same SMs.
#pragma once

#include "run/machine/timed_run.h"
#include "time/model/change.h"

#include <optional>
#include <vector>

namespace lockstep::run {

struct ChangedTime {
    const time::ChangeRow* row = nullptr;
    u64 elapsedCycles = 0;
    // Why there is no time; elapsedCycles is then not used.
    std::optional<Message> why{};
};

struct ChangedTimes {
    u64 elapsedCycles = 0;  // as it is
    u32 simulatedSms = 0;
    std::vector<ChangedTime> changes;  // in the order of time::kChanges

    // What the change takes off the time of the launch, as a share; negative: it takes longer.
    f64 saved(const ChangedTime& changed) const {
        return 1 - f64(changed.elapsedCycles) / f64(elapsedCycles);
    }
};

// progress: only whether it was canceled. only: the one change that is asked for; none: all. Fault: why there
// is no time for this run.
Expected<ChangedTimes> changedTimes(const Run& run, const sass::MachineCode& code,
                                    Progress* progress = nullptr, std::optional<time::Change> only = {});

}  // namespace lockstep::run
