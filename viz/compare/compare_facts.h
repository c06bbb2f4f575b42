// What two runs differ in, as the compare view says it: their names, and their figures with the most telling
// first.
#pragma once

#include "explain/comparison/source_difference.h"
#include "viz/view.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::viz {

struct ComparedFigure {
    std::string what, a, b,
        change;         // "global store sectors", "524,288", "65,536", "8 times fewer"
    std::string hover;  // the whole sentence
};

struct CompareFacts {
    std::string nameA, nameB;  // variants, or the sizes in which they differ: "width 64 · tile 16"
    std::string common;        // the sizes that both have
    std::vector<ComparedFigure> counted;  // from the model; the first is what the view shows best
    u64 same = 0;                         // figures of both that are not zero and do not differ
    explain::SourceDifference lines;      // of the two kernels' code
    std::vector<ComparedFigure> timed;    // measured or published, where there is such a figure of both
    std::string timeOfA, timeOfB;  // measured on one GPU, in brief: "measured, H200: 0.0024 ms" and "0.0018
                                   // ms, 1.3 times as fast"; empty: not known of both
};
// view: which of the compared ones is on show; its own figures come before the others.
CompareFacts compareFacts(const ViewInput& in, const ViewRow& view);

}  // namespace lockstep::viz
