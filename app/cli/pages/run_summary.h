// The human-readable output of `run`: a page of text on standard output.
#pragma once

#include "base/text/language.h"
#include "catalog/cpu/cpu_timing.h"
#include "run/run.h"

namespace lockstep::cli {

void printSummary(const run::Run& run, const std::optional<catalog::CpuTiming>& cpu, Language language);

}  // namespace lockstep::cli
