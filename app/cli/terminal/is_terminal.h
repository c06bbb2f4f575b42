// Whether a stream of the program is a terminal.
#pragma once

#include <cstdio>

namespace lockstep::cli {

bool isTerminal(std::FILE* stream);

}  // namespace lockstep::cli
