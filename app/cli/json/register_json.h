// The JSON of `show --view source --registers`: what the registers of the cursor's line hold, as CONTRACT
// lays it out.
#pragma once

#include "app/cli/json/json.h"
#include "run/run.h"
#include "viz/cursor/cursor.h"
#include "viz/view_options.h"

namespace lockstep::cli {

// tab: which code's line (viz/view_options.h). A Fault says why the warp cannot be gone through again.
Expected<Json> registerJson(const run::Run& run, const viz::Cursor& cursor, viz::SourceTab tab);

}  // namespace lockstep::cli
