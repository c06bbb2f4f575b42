// What two kernels differ in as they are written: the lines of code that only one of them has.
#pragma once

#include "explain/cursor/lookup.h"

#include <vector>

namespace lockstep::explain {

struct SourceDifference {
    std::vector<SourceLine> onlyInA, onlyInB;  // ascending
    bool areAlike = false;  // most lines are in both, so that those which are not say something
};

// Of the files that the launches' kernels are in. Comments, blanks and the kernels' own names make no
// difference.
SourceDifference sourceDifference(const Recorded& a, LaunchId launchOfA, const Recorded& b,
                                  LaunchId launchOfB);

}  // namespace lockstep::explain
