// For tests: the shipped catalog, and its first example as the window opens it.
#pragma once

#include "app/state/update.h"
#include "base/check.h"
#include "run/resources.h"
#include "run/run.h"

#include <memory>

namespace lockstep::app {

inline const catalog::Catalog& catalogue() {
    static const Expected<catalog::Catalog> read =
        catalog::Catalog::read(run::Resources{LOCKSTEP_SOURCE_DIR}.kernels());
    CHECK(read.has_value(), "the catalog must be readable");
    return *read;
}

// The first example, run on the emulator to its end.
inline std::shared_ptr<const run::Run> runFirst(const run::Options& options = {}) {
    const Choice choice = firstChoice(catalogue());
    const auto found = catalogue().lookUp(choice.family + "/" + choice.variant);
    Expected<run::Experiment> experiment =
        run::open(run::Resources{LOCKSTEP_SOURCE_DIR}, *found->first, *found->second, choice.values);
    CHECK(experiment.has_value(), "the first example must open");
    Expected<run::Run> done = run::run(std::move(*experiment), options);
    CHECK(done.has_value(), "the first example must run");
    return std::make_shared<const run::Run>(std::move(*done));
}

}  // namespace lockstep::app
