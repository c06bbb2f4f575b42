// A finding in words, where the shapes of shared arrays are known: "Nds[2][0]" rather than "Nds + 128 bytes".
#pragma once

#include <span>

#include "model/report.h"

namespace lockstep::model {

Text describe(const trace::Finding& finding, const ptx::Module& module, const trace::Recording& recording, std::span<const ArrayShape> shapes);

}  // namespace lockstep::model
