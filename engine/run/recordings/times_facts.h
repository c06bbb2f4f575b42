// What the times of a family say: its variants side by side at one size, on one machine or on two. All
// figures were measured, on the GPU of a recording; nothing here is computed from the emulator.
#pragma once

#include "catalog/catalog.h"
#include "model/profiles/profile.h"
#include "run/recordings/recordings.h"

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::run {

// A recording, and what device memory can do there.
struct RecordedMachine {
    HardwareRecording recording;
    f64 copyRate = 0;  // of the fastest copy in it, bytes read and written a second; 0: none was recorded
};
std::vector<RecordedMachine> recordedMachines(std::vector<HardwareRecording> recordings,
                                              const catalog::Catalog& catalog);
// As attachRecorded.
void attachRecorded(Run& run, std::span<const RecordedMachine> machines);

using Setting = std::pair<std::string, std::string>;  // of a parameter: name, value

// One variant, or the family's plain loop on the machine's processor (variant none).
struct TimedKernel {
    const catalog::Variant* variant = nullptr;
    const RecordedRun* run = nullptr;    // none: no time was recorded at this size
    const RecordedRun* ended = nullptr;  // what was recorded instead: that it did not come to its end
    f64 milliseconds = 0, lowerQuartile = 0, upperQuartile = 0;
    f64 rate = 0;  // bytes or operations per second; 0: the family does not say what is done
    f64 deviceBytes =
        0;  // moved between the chip and device memory, as counted from a cold L2; 0: not counted
    bool races = false;            // at this size, as the catalog says; its result may have come out right
    bool assumesLockstep = false;  // the same: right only where the lanes of a warp execute in lockstep
    f64 step = 0, total = 0;  // times as fast as the variant that it changes (catalog::Variant::after), and
                              // as the first of the family; 0: none was timed
};

// Whether the family says of both what is done, and it is the same amount.
bool doAsMuch(const TimedKernel& a, const TimedKernel& b);
// Whether their times can be compared. A run that needs its initial contents again is timed by itself, with
// all of its launch latency; where others are short, many of their runs are timed in a row.
bool areTimedAlike(const TimedKernel& a, const TimedKernel& b);
bool areTimedAlike(const KernelTiming& a, const KernelTiming& b);

// Of an experiment, as a recording writes them.
std::vector<Setting> settingsOf(const catalog::Experiment& experiment);

struct TimesFacts {
    const RecordedMachine* machine = nullptr;
    const RecordedMachine* beside = nullptr;  // the next that has the variant; none: there is no other
    std::vector<std::vector<Setting>>
        sizes;  // at which the variant was recorded, in the recording's order; then those of the one beside
    std::size_t size = 0;                    // the one shown
    bool isTheRuns = false;                  // it is the size of the run on show
    bool isRunRecorded = false;              // one of the sizes is that of the run on show
    std::vector<TimedKernel> kernels;        // in the family's order, then the processor's loop
    std::vector<TimedKernel> kernelsBeside;  // the same on the machine beside
    bool countsOperations = false;           // what rates are of: operations; else bytes

    // Of those whose result is right, and not by luck.
    const TimedKernel* fastest() const;
    const TimedKernel* fastestLike(const TimedKernel& kernel) const;  // of these those that do as much as it
    const TimedKernel* comparedOf(
        const TimedKernel& kernel) const;  // none: there is no machine beside, or no loop of its processor
};

// What hardware showed of this run: just now, then in the recordings. Found once a run: telling whether a
// recording is of it takes a look at all of its PTX.
struct KnownMeasurements {
    std::vector<Measured> all;
};
KnownMeasurements measurementsOf(const Run& run, std::span<const RecordedMachine> machines);
// By hardware of the profile's kind; and by any other, to stand beside that: the next that counted something.
const Measured* measuredOn(const model::Profile& profile, const KnownMeasurements& known);
const Measured* countedBeside(const Measured* first, const KnownMeasurements& known);

// None where no recording has the variant. chosen: which of the sizes, from 1 on; 0: the run's, or else, of
// those that differ from it in fewest parameters, the one that does the most similar amount of work.
std::optional<TimesFacts> timesFacts(const catalog::Experiment& experiment,
                                     std::span<const RecordedMachine> machines, u32 chosen);

}  // namespace lockstep::run
