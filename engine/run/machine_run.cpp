#include "run/machine_run.h"

namespace lockstep::run {

MachineRun readMachineCode(cuda::Disassembler& disassembler, Run& run, const std::atomic<bool>* cancelled) {
    MachineRun machine;
    auto code = disassembler.of(*run.module, 10 * run.profile.major + run.profile.minor, cancelled);
    if (!code) {
        machine.why = std::move(code.error());
        return machine;
    }
    machine.code = std::move(*code);
    const bool hasRegisters = run.measured && !run.measured->registers.empty();
    model::MachineReport read = model::machineReport(*run.module, run.recording, run.profile, *machine.code,
                                                     hasRegisters ? std::optional(run.measured->registers.front()) : std::nullopt);
    if (run.caches && run.emulated) read.report.counters.merge(run.caches->counters());
    run.report = std::move(read.report);
    machine.removed = std::move(read.removed);
    machine.differences = std::move(read.differences);
    return machine;
}

}  // namespace lockstep::run
