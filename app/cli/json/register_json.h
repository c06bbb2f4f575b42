// The JSON of `show --view source --registers`: what the registers of the cursor's line hold, as CONTRACT
// lays it out.
#pragma once

#include "app/cli/json/json.h"
#include "run/run.h"
#include "viz/cursor.h"

namespace lockstep::cli {

// tab: which code's line (viz/source_tabs.h). A Fault says why the warp cannot be gone through again.
Expected<Json> registerJson(const run::Run& run, const viz::Cursor& cursor, s32 tab);

}  // namespace lockstep::cli
