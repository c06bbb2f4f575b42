// What a run knows of its machine code, where the toolkit is installed: it takes the place of what the model
// expects of the compiler.
#pragma once

#include "model/machine_report.h"
#include "run/run.h"
#include "sass/machine_code.h"

#include <memory>
#include <optional>
#include <vector>

namespace lockstep::run {

struct MachineRun {
    std::shared_ptr<const sass::MachineCode> code;  // null: modeled, and `why`
    std::optional<Fault> why;
    std::vector<model::MachineReport::Place> removed;
    std::vector<model::MachineReport::Difference> differences;
};

bool hasMachineCode(const Run& run);

// Registers of one thread, and who says so.
struct Registers {
    u32 perThread = 0;
    bool fromMachineCode = false;  // else a GPU
};
// Of the launch's kernel on a device of `profile`; none where nobody knows them: another device's code has
// registers of its own.
std::optional<Registers> registersOf(const Run& run, const model::Profile& profile, std::size_t launch = 0);
// Of the first launch on the run's own profile: what a report's occupancy follows.
std::optional<u32> registersPerThread(const Run& run);
// The profile of the hardware that measured.
const model::Profile& profileOf(const Measured& measured);
// The hardware's counters that may stand beside the model's figures: null where there are none, or where a
// recording is of a device with other rules than `run.profile`.
const Measured* countedForProfile(const Run& run);
// For a report that was made before the registers were known.
void remakeOccupancy(Run& run);

}  // namespace lockstep::run
