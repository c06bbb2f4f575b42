// The JSON of `run`; docs/guide/json.md has all keys.
#pragma once

#include "app/cli/json/json.h"
#include "catalog/cpu/cpu_timing.h"
#include "run/run.h"

namespace lockstep::cli {

Json runJson(const run::Run& run, const std::optional<catalog::CpuTiming>& cpu = {});

}  // namespace lockstep::cli
