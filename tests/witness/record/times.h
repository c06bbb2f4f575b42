// What the recordings of hardware hold of a family, and the figures that follow from it: rates, factors,
// shares.
#pragma once

#include "witness/pictures.h"

#include <map>

namespace lockstep::witness {

// Was any kernel of the family recorded at a size of which these are settings?
bool isRecordedSize(const World& world, const std::string& family, const Settings& settings);

// One variant at one size, or the processor's loop (variant none).
struct RecordedTime {
    const catalog::Variant* variant = nullptr;
    const run::RecordedRun* run = nullptr;  // none: not recorded at this size
    f64 milliseconds = 0, work = 0;         // work: bytes or operations
    f64 step = 0, total = 0;                // as fast as the one that it changes, and as the first
    bool ended() const { return run && run->ending == run::Ending::Whole; }
    f64 rate() const { return milliseconds > 0 ? work / milliseconds * 1000 : 0; }
};

// A family's times on the first machine that has the variant, at the run's size, else at the one that is most
// like it: few parameters differ, and it is about as much work.
struct RecordedTimes {
    const run::HardwareRecording* recording = nullptr;
    Settings size;
    bool isTheRuns = false, countsOperations = false;  // where it is not the run's, that was not recorded
    std::vector<RecordedTime> times;                   // in the family's order, then the loop
    f64 copyRate = 0;  // of the fastest kernel that only copies, bytes a second
    std::vector<Settings> sizes;
    Settings own;  // the run's own size
    const RecordedTime* of(const catalog::Variant* variant) const;
    const RecordedTime* changedBy(const RecordedTime& time) const;  // that its step is from; none: no step
    const RecordedTime* fastest() const;
    const RecordedTime* fastestLike(const RecordedTime& like) const;  // of those that do as much
};
// One timed run by run, the other many in a row, and short enough for that to matter.
bool areUnlike(const RecordedTime& a, const RecordedTime& b);
std::optional<RecordedTimes> recordedTimes(const World& world, const run::Run& run);

// What was recorded of this very run: kernel and all parameters; none: nothing.
const run::RecordedRun* recordedOf(const World& world, const run::Run& run);

}  // namespace lockstep::witness
