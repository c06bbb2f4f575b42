#include "run/machine_run.h"

namespace lockstep::run {

bool hasMachineCode(const Run& run) { return run.machine && run.machine->code; }

std::optional<Registers> registersOf(const Run& run, const model::Profile& profile, std::size_t launch) {
    if (run.measured && launch < run.measured->registers.size()) return Registers{.perThread = run.measured->registers[launch], .fromMachineCode = false};
    if (!hasMachineCode(run) || launch >= run.recording.launches.size() || run.machine->code->computeCapability != 10 * profile.major + profile.minor) return std::nullopt;
    const sass::Function* kernel = run.machine->code->find(run.recording.launches[launch].entry);
    return kernel && kernel->registers ? std::optional(Registers{.perThread = *kernel->registers, .fromMachineCode = true}) : std::nullopt;
}

}  // namespace lockstep::run
