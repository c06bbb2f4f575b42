// The values that a sweep gives to a parameter, as they are written on the command line: "64:4096:x2",
// "0:32:+4" or "0:32:4", and "1,2,32".
#pragma once

#include "base/expected.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::run {

inline constexpr std::size_t kMostSweptValues = 1000;  // of one parameter

// Whether a setting names several values: it has a colon or a comma.
bool isSwept(std::string_view values);
// Whether they are written with a first and a last one.
bool isRange(std::string_view values);

// Each value once, in the order in which it is written; of a range, ascending and the last one only if a step
// reaches it. Items of a list stay as written, for a choice has labels ("i32,i64"). `name`: the parameter,
// for the sentence of a Fault.
Expected<std::vector<std::string>> sweptValues(std::string_view name, std::string_view values);

}  // namespace lockstep::run
