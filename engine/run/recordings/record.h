// Makes a recording: one experiment measured on the GPU, without the emulator.
#pragma once

#include "run/recordings/recordings.h"

namespace lockstep::run {

struct Recorded {
    RecordedRun run;
    u64 pitchBytes = 0;  // of the machine, as in HardwareRecording
    f64 contextMs = 0;
    std::vector<Fault> notes;  // what could not be measured
};

// The experiment is of the catalog. Fault: the kernel does not start on this GPU; one that starts and does
// not complete is recorded as such. Results are compared with the CPU reference, and the family's loop is
// timed on the CPU, if that takes no more than a few seconds.
Expected<Recorded> record(Experiment experiment, const Options& options);

// The sizes to record of a variant: its defaults, then those that `sizes` (assets/recordings/sizes.json) has
// for its family as far as it depends on them, each once. Fault: an invalid file.
Expected<std::vector<catalog::Values>> sizesToRecord(const catalog::Family& family,
                                                     const catalog::Variant& variant,
                                                     const std::filesystem::path& sizes);

}  // namespace lockstep::run
