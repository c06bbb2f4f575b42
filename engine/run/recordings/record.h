// Makes a recording: one experiment measured on the GPU, with nothing of the emulator's.
#pragma once

#include "run/recordings/recordings.h"

namespace lockstep::run {

struct Recorded {
    RecordedRun run;
    u64 pitchBytes = 0;  // of the machine, as in HardwareRecording
    f64 contextMs = 0;
    std::vector<Fault> notes;  // what could not be measured
};

// The experiment is of the catalog. A Fault where the kernel does not begin on this GPU; one that begins and
// does not come to its end is recorded as that. Results are compared with the CPU reference, and the family's
// loop is timed on the CPU, where that takes no more than a few seconds.
Expected<Recorded> record(Experiment experiment, const Options& options);

// The sizes to record of a variant: its defaults, then those that `sizes` (assets/recordings/sizes.json) has
// for its family as far as it depends on them, each once. A Fault where the file is not what it should be.
Expected<std::vector<catalog::Values>> sizesToRecord(const catalog::Family& family,
                                                     const catalog::Variant& variant,
                                                     const std::filesystem::path& sizes);

}  // namespace lockstep::run
