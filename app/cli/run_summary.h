// What `run` tells a person: a page of text on standard output.
#pragma once

#include "catalog/cpu_timing.h"
#include "run/run.h"

namespace lockstep::cli {

void printSummary(const run::Run& run, const std::optional<catalog::CpuTiming>& cpu = {});

}  // namespace lockstep::cli
