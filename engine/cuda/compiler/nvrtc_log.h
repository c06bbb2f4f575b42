// Turns NVRTC's log into Faults: of an error, and of warnings.
#pragma once

#include "base/expected.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::cuda {

// `name` and `source` are the compiled file's; the log is NVRTC's; `otherwise` is the message if the log
// cannot be parsed.
Fault faultFromLog(std::string_view log, const std::string& name, std::string_view source,
                   std::string_view otherwise);

// The warnings of the log, each once, with file, line and, where it is marked, column.
std::vector<Fault> warningsIn(std::string_view log);

// The names of the functions that the text declares __global__, in order: a search in the text, for messages.
std::vector<std::string> kernelsNamedIn(std::string_view source);

}  // namespace lockstep::cuda
