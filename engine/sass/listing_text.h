// Machine code as a listing again: as short as parseListing() can read it, for machine code that is kept or
// shipped.
#pragma once

#include "sass/machine_code.h"

#include <string>

namespace lockstep::sass {

// parseListing() gives the same machine code back, but for the compiler's name.
std::string listingText(const MachineCode& code);

}  // namespace lockstep::sass
