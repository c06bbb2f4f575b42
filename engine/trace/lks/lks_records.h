// A Recording as sections of bytes and back.
#pragma once

#include "trace/lks/lks_container.h"
#include "trace/trace.h"

namespace lockstep::trace {

std::vector<LksSection> sectionsOf(const Recording& recording);
// Refuses sections that are missing, malformed or do not fit together.
Expected<Recording> recordingOf(std::span<const LksSection> sections, const std::string& name);

}  // namespace lockstep::trace
