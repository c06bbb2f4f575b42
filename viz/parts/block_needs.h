// What a block of the run's first launch takes of an SM.
#pragma once

#include "model/occupancy/occupancy.h"
#include "run/machine/machine_run.h"
#include "run/recordings/times_facts.h"

#include <optional>

namespace lockstep::viz {

struct KnownNeeds {
    model::BlockNeeds needs;
    std::optional<run::Registers> registers;  // none: neither machine code nor a GPU has said
};

// measured: on the profile's hardware; null: nothing was.
KnownNeeds needsOf(const run::Run& run, const model::Profile& profile, const run::Measured* measured);

}  // namespace lockstep::viz
