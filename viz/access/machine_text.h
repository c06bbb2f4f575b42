// A machine instruction in words: what its opcode does, and what its control bits say.
#pragma once

#include "base/text/language.h"
#include "sass/machine_code.h"

#include <string>

namespace lockstep::viz {

// "LDG.E: loads from global memory." and "Control bits: the warp's next instruction no sooner than 4 cycles
// later; issues once counter 0 is zero; counter 1 counts until the result is written." The second is left out
// where the listing has no encodings.
std::string machineText(const sass::Instruction& instruction, Language language);

}  // namespace lockstep::viz
