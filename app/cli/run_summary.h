// What `run` tells a person: a page of text on standard output.
#pragma once

#include "run/run.h"

namespace lockstep::cli {

void printSummary(const run::Run& run);

}  // namespace lockstep::cli
