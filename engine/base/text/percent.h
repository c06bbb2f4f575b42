// Percentages: rounded, but never to 100 what is not all, nor to 0 what is something.
#pragma once

#include "base/integers.h"

#include <string>

namespace lockstep {

// "67" of 2 and 3, "99.95" of 1,999 and 2,000, "0.02" of 1 and 5,000: with so many decimals, or as many more
// as that takes. All is "100", nothing "0"; of an empty whole nothing.
std::string percentOf(u64 part, u64 whole, int decimals = 0);
// The same of a share: 0.67. It may be more than all.
std::string percentOfShare(f64 share, int decimals = 0);
// Without decimals, 1 to 99 where it is neither all nor nothing: how far something is.
u32 wholePercentOf(u64 part, u64 whole);

}  // namespace lockstep
