// What changes from one run to another, in figures and in words: of two variants, or two sizes.
#pragma once

#include "base/text/message.h"
#include "model/report.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::explain {

struct Difference {
    std::string metric;  // a key of model::Report::counters, or of what is derived:
                         // "sectors_per_load_request", "warps_per_sm"
    f64 a = 0, b = 0;
    std::optional<f64> ratio;  // b / a; none where a is 0
    Words what;                // of several: "global store sectors"
    Message change;            // "8 times fewer"; "none in A" or "none in B" where one of them has none
    Message
        sentence;  // seen from b: "8 times fewer sectors stored to global memory: 65,536 instead of 524,288."
};

// In the order of metrics(), then what is derived from them (sectors a request, lanes that work, occupancy).
// What is the same is left out; of a counter that only one of them has (another rule of memory) nothing is
// said.
std::vector<Difference> differencesOf(const model::Report& a, const model::Report& b);
// Of what nothing predicts, as a GPU's counters of both have it: instructions of the machine code.
std::optional<Difference> differenceOfCounted(std::string_view metric,
                                              const std::map<std::string, f64>& countersOfA,
                                              const std::map<std::string, f64>& countersOfB);

// What a GPU counted of both.
struct Counted {
    f64 a = 0, b = 0;
};
// Where a GPU's counters of both (model::metrics' names) change the other way, or one of them is more than a
// tenth from its prediction; none elsewhere.
std::optional<Counted> countedOtherwise(const Difference& difference,
                                        const std::map<std::string, f64>& countersOfA,
                                        const std::map<std::string, f64>& countersOfB);

// In place of the difference's sentence: "Predicted: 6.2% more global store sectors (3,134 instead of 2,950);
// measured: 3.3% fewer (3,272 instead of 3,382)."
Message predictedAndMeasured(const Difference& difference, const Counted& counted);

// "8 times fewer", "twice as many", "12% more"; a and b are not equal, neither is 0.
Message changeInWords(f64 a, f64 b);

}  // namespace lockstep::explain
