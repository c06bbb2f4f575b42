// The JSON of `show --view source --registers`: the values of the registers on the cursor's line.
#pragma once

#include "app/cli/json/json.h"
#include "run/run.h"
#include "viz/cursor/cursor.h"
#include "viz/view_options.h"

namespace lockstep::cli {

// tab: which code's line (viz/view_options.h). A Fault says why the warp cannot be replayed.
Expected<Json> registerJson(const run::Run& run, const viz::Cursor& cursor, viz::SourceTab tab);

}  // namespace lockstep::cli
