// For tests: a kernel of the catalog as the program runs it, every block recorded.
#pragma once

#include "run/run.h"
#include "shipped_catalog.h"

namespace lockstep {

using Settings = std::vector<std::pair<std::string, std::string>>;

inline Expected<run::Run> runShipped(const std::string& name, const Settings& settings,
                                     const run::Options& options = {}) {
    const auto found = shipped().lookUp(name);
    if (!found) return Unexpected{found.error()};
    const Expected<catalog::Values> values = catalog::resolve(*found->first, *found->second, settings);
    if (!values) return Unexpected{values.error()};
    Expected<run::Experiment> experiment =
        run::open({LOCKSTEP_SOURCE_DIR}, *found->first, *found->second, *values);
    if (!experiment) return Unexpected{experiment.error()};
    return run::run(std::move(*experiment), options);
}

}  // namespace lockstep
