// Converts a Recording to sections of bytes and back.
#pragma once

#include "trace/lks/lks_container.h"
#include "trace/trace.h"

namespace lockstep::trace {

std::vector<LksSection> sectionsOf(const Recording& recording);
// Fault: sections that are missing, malformed or inconsistent.
Expected<Recording> recordingOf(std::span<const LksSection> sections, const std::string& name);

}  // namespace lockstep::trace
