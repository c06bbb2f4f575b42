// What a register holds in one lane, as people read it: "12.5", "&in[3]", "true".
#pragma once

#include "base/text/language.h"
#include "explain/registers/warp_registers.h"
#include "run/run.h"

#include <string>

namespace lockstep::viz {

std::string registerText(const run::Run& run, LaunchId launch, const explain::LaneRegister& r, Lane lane,
                         u32 characters, Language language);

}  // namespace lockstep::viz
