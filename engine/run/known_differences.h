// Where the machine code is known not to be the PTX, so that the hardware counts something else than the model does of what was
// written: one row a mechanism, each with what shows that it is at work. docs/accuracy.md lists them.
#pragma once

#include <span>

#include "base/text.h"
#include "run/run.h"

namespace lockstep::run {

struct KnownDifference {
    const char* name;
    std::span<const char* const> metrics;  // that it changes
    bool hardwareCountsMore = false;       // else less
    bool (*isAtWork)(const Run& run);      // in this kernel, as it ran on the emulator
    Text reason;                           // what comes behind the figures
};

std::span<const KnownDifference> knownDifferences();
// nullptr: the difference has no explanation.
const KnownDifference* explain(const Run& run, std::string_view metric, f64 model, f64 measured);

}  // namespace lockstep::run
