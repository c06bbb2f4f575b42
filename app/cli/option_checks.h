// What an option takes: its word in the help, the check of its value, and the sentence where it does not fit,
// in the language of the command's help.
#pragma once

#include "base/integers.h"
#include "base/message.h"

#include <CLI/CLI.hpp>

#include <limits>
#include <string>
#include <vector>

namespace lockstep::cli {

// A whole number, decimal or 0x..; leading zeros do not make it octal.
CLI::Option* takesWhole(const CLI::App& command, CLI::Option* option, u64 least = 0,
                        u64 most = std::numeric_limits<u32>::max());
// A real number in digits: no "nan", no "inf".
CLI::Option* takesNumber(const CLI::App& command, CLI::Option* option, f64 least, f64 most);
// The same of steps a second.
CLI::Option* takesSpeed(const CLI::App& command, CLI::Option* option, f64 least, f64 most);
// More than 0 and at most 1e9 seconds.
CLI::Option* takesSeconds(const CLI::App& command, CLI::Option* option);
// One of these words.
CLI::Option* takesOneOf(const CLI::App& command, CLI::Option* option, std::vector<std::string> words);

// "warm or cold", "a, b or c".
Message alternatives(const std::vector<std::string>& words);

}  // namespace lockstep::cli
