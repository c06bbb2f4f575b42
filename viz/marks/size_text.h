// "width = 64, tile = 16": how a choice of parameters is written wherever it stands in a line.
#pragma once

#include "base/text/text.h"
#include "run/recordings/times_facts.h"

#include <span>
#include <string>

namespace lockstep::viz {

std::string sizeText(std::span<const run::Setting> size, Language language);

}  // namespace lockstep::viz
