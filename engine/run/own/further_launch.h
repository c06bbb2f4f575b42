// A launch behind the first one of a user's own kernel, on the same buffers:
// "scan_add_totals<<<4, 256>>>(buffer:1, buffer:2, i32:1000)".
#pragma once

#include "run/run.h"

#include <optional>
#include <span>
#include <string>

namespace lockstep::run {

// As --then takes it: the argument is one of --arg, or buffer:N. Its arguments are looked at when the file is
// opened.
Expected<FurtherLaunch> parseFurtherLaunch(const std::string& text);
std::string textOf(const FurtherLaunch& launch);

// "buffer:2": the buffer with this number, counted from 0 in the order in which the launches name them. None:
// another kind of argument.
std::optional<u32> bufferNamedIn(const std::string& argument);
std::string bufferArgumentText(u32 buffer);

// The first launch's arguments, and behind them the buffers that only later launches have: what can be named
// by number.
Launch withAllBuffers(std::span<const Launch> launches);

}  // namespace lockstep::run
