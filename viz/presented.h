// The stage's own option (ViewState::option), set where it is presented in a hall.
#pragma once

#include "base/integers.h"

namespace lockstep::viz {

// Nothing but what the sentence speaks of: keys to marks and tables are left out.
inline constexpr s32 kStagePresented = 1;

}  // namespace lockstep::viz
