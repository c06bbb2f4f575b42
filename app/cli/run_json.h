// The JSON of `run`, as CONTRACT lays it out.
#pragma once

#include "app/cli/output.h"
#include "catalog/cpu_timing.h"
#include "run/machine_run.h"
#include "run/run.h"

namespace lockstep::cli {

// machine: of the run, where its machine code was asked for.
Json runJson(const run::Run& run, const run::MachineRun& machine = {}, const std::optional<catalog::CpuTiming>& cpu = {});

}  // namespace lockstep::cli
