// A run's machine code, if the toolkit is installed: replaces the model's predictions of the compiler.
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
// Whether that is why: ptxas or nvdisasm is not on this machine.
bool lacksToolkit(const Fault& why);

// Registers per thread, and their source.
struct Registers {
    u32 perThread = 0;
    bool fromMachineCode = false;  // else a GPU
};
// For the launch's kernel on a device of `profile`; none if unknown: another device's code has a different
// number.
std::optional<Registers> registersOf(const Run& run, const model::Profile& profile, std::size_t launch = 0);
// For the first launch on the run's own profile: used for the report's occupancy.
std::optional<u32> registersPerThread(const Run& run);
// The profile of the measured hardware.
const model::Profile& profileOf(const Measured& measured);
// The hardware counters to compare with the model's figures: null if there are none, or if a recording is of
// a device with other rules than `run.profile`.
const Measured* countedForProfile(const Run& run);
// Updates a report that was made before the registers were known.
void remakeOccupancy(Run& run);

}  // namespace lockstep::run
