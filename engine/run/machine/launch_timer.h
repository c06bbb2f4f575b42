// One launch of a run, its machine code made ready to execute, and timed as often as asked: each time with
// memory as the run began with.
#pragma once

#include "run/run.h"
#include "sass/machine_code.h"
#include "simt/memory/device_memory.h"
#include "time/model/time_launch.h"

namespace lockstep::run {

// Banks of constants of a module, addresses filled in: those of `memory`. Fault: one of something that the
// PTX does not have.
Expected<time::ModuleConstants> moduleConstants(const ptx::Module& module, const sass::MachineCode& code,
                                                const simt::DeviceMemory& memory);

// memory: of the run's module and as many buffers; only where its variables lie matters. Fault: there is no
// machine code of this launch's kernel, or it has what the model does not execute.
Expected<time::Program> timedProgram(const Run& run, const Launch& launch, const sass::MachineCode& code,
                                     const simt::DeviceMemory& memory);

class LaunchTimer {
public:
    static Expected<LaunchTimer> make(const Run& run, const Launch& launch, const sass::MachineCode& code);

    Expected<time::LaunchTime> time(const time::TimeOptions& options) const;

private:
    LaunchTimer(const Run& run, time::Program program, std::optional<u32> registers)
        : run_(&run), program_(std::move(program)), registers_(registers) {}

    const Run* run_;
    time::Program program_;
    std::optional<u32> registers_;
};

}  // namespace lockstep::run
