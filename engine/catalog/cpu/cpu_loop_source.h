// The text of the loops that are timed on the CPU (cpu_timing.h), to be read beside the kernels: cut from the
// very sources that are compiled, where comments mark them, so that what is shown is what runs.
#pragma once

#include "catalog/catalog.h"

#include <string>
#include <string_view>

namespace lockstep::catalog {

// Of a variant of this family; empty where it has no such loop.
std::string cpuLoopSource(std::string_view family, const Variant& variant);

// Between the comments "cpu loop NAME" and "end of cpu loop", without the comments. Empty: there is
// none of that name.
std::string markedPart(std::string_view source, std::string_view name);

}  // namespace lockstep::catalog
