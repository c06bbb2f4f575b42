// Shows a run before the whole grid has been run, and before its cache simulation is finished.
#pragma once

#include "run/run.h"

#include <functional>
#include <memory>
#include <optional>

namespace lockstep::run {

// Called on the thread that runs. focus: with a run of the recorded blocks alone, a sample that is under way,
// if the whole grid takes noticeable time on the emulator. run: before its caches and hints are known, if
// they do: the run without its `caches`, the counters derived from them, and `hints`.
struct EarlyListener {
    // What is told is the listener's: initial contents are not to be changed.
    std::function<void(std::shared_ptr<Run> ofFocus)> focus = {};
    std::function<void(const Run& withoutCaches)> run = {};
    std::function<void(u64 done, u64 total)> caches = {};  // progress of their simulation
    // The block that is looked at. It is run before the others, and `focus` is called with it alone where
    // that is enough: again with all of them only where the whole grid takes long. Of one launch.
    std::optional<Dim3> block = {};
    std::function<bool(const Run& ofBlock)> isEnough = {};
};

// Same result as run(), with or without a listener.
Expected<Run> run(Experiment experiment, const Options& options, const EarlyListener& early);

}  // namespace lockstep::run
