// What an arithmetic instruction or a comparison computes, in the words of its source line, where the line
// leaves no doubt about it.
#pragma once

#include "ptx/module.h"

#include <optional>
#include <string>
#include <string_view>

namespace lockstep::explain {

// "tid % (2 * s)" of the only % of a line, "row < width" of its only comparison; none where a line has
// several that it may be, or the expression goes on in another line.
std::optional<std::string> sourceExpression(const ptx::Module& module, Pc pc);
// The same of a line of source text, for an operator: "%", "/" or a comparison.
std::optional<std::string> expressionAround(std::string_view line, std::string_view sign);

}  // namespace lockstep::explain
