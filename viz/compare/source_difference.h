// What two kernels differ in as they are written: the lines of code that only one of them has.
#pragma once

#include "viz/cursor/lookup.h"

#include <vector>

namespace lockstep::viz {

struct SourceDifference {
    std::vector<explain::SourceLine> onlyInA, onlyInB;  // ascending
    bool areAlike = false;  // most lines are in both, so that those which are not say something
};

// Of the files that the launches' kernels are in. Comments, blanks and the kernels' own names make no
// difference.
SourceDifference sourceDifference(const run::Run& a, LaunchId launchOfA, const run::Run& b,
                                  LaunchId launchOfB);

}  // namespace lockstep::viz
