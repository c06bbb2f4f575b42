// Whether a window could be opened here, for `doctor`.
#pragma once

#include "base/expected.h"

#include <string>

namespace lockstep::shell {

// The renderer's name ("llvmpipe ...", "NVIDIA ..."), found with a hidden window.
Expected<std::string> openGlRenderer();

}  // namespace lockstep::shell
