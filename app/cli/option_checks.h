// What an option takes: its word in the help, the check of its value, and the sentence where it does not fit.
#pragma once

#include "base/integers.h"

#include <CLI/CLI.hpp>

#include <limits>
#include <string>
#include <vector>

namespace lockstep::cli {

// A whole number, decimal or 0x..; leading zeros do not make it octal.
CLI::Option* takesWhole(CLI::Option* option, u64 least = 0, u64 most = std::numeric_limits<u32>::max());
// A real number in digits: no "nan", no "inf". `unit`: "of seconds", or nothing.
CLI::Option* takesNumber(CLI::Option* option, f64 least, f64 most, const std::string& unit = {});
// More than 0 and at most 1e9 seconds.
CLI::Option* takesSeconds(CLI::Option* option);
// One of these words.
CLI::Option* takesOneOf(CLI::Option* option, std::vector<std::string> words);

// "warm or cold", "a, b or c".
std::string alternatives(const std::vector<std::string>& words);

}  // namespace lockstep::cli
