// The text of the loops that are timed on the CPU (cpu_timing.h), to show beside the kernels: cut from the
// compiled sources at marker comments, so that what is shown is what runs.
#pragma once

#include "catalog/catalog.h"

#include <string>
#include <string_view>

namespace lockstep::catalog {

// For a variant of this family; empty if it has no such loop.
std::string cpuLoopSource(std::string_view family, const Variant& variant);

// The text between the comments "cpu loop NAME" and "end of cpu loop", without the comments. Empty: none of
// that name.
std::string markedPart(std::string_view source, std::string_view name);

}  // namespace lockstep::catalog
