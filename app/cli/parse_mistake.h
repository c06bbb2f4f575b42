// What is wrong with a command line that the parser refuses, in one sentence.
#pragma once

#include "base/message.h"

#include <CLI/CLI.hpp>

namespace lockstep::cli {

// `command` is the one that was parsed; `program` has all of them.
Message mistakeIn(const CLI::App& program, const CLI::App& command, const CLI::ParseError& error);

}  // namespace lockstep::cli
