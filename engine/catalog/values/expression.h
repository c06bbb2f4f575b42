// Integer expressions over a family's parameters: "ceil_div(width, tile)", "width % tile != 0 && tile > 5".
// As in C: + - * / %, == != < <= > >=, && || !, ?:, and ceil_div(a, b), min(a, b), max(a, b). True is 1.
#pragma once

#include "catalog/catalog.h"

#include <set>
#include <string>
#include <string_view>

namespace lockstep::catalog {

// `values` may also hold labels. Overflow, division by zero and unknown names are Faults, unless && || ?:
// skip them.
Expected<s64> evaluate(std::string_view expression, const Values& values);

// The names in it; Fault if it is not an expression.
Expected<std::set<std::string>> namesIn(std::string_view expression);

}  // namespace lockstep::catalog
