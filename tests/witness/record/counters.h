// What a whole run comes to, by ncu's names and by those of our own: summed up by the witness's rules.
#pragma once

#include "witness/record/facts.h"

namespace lockstep::witness {

// What a figure may be: one number, unless the compiler decides something that no record tells.
using Amounts = std::map<std::string, std::set<u64>, std::less<>>;
Amounts amountsOf(const RunFacts& run);

}  // namespace lockstep::witness
