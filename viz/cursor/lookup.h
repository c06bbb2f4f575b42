// What a run recorded at a cursor, as every view asks for it.
#pragma once

#include "explain/access/warp_steps.h"
#include "explain/cursor/lookup.h"
#include "explain/sentences/lane_lists.h"
#include "explain/sentences/words.h"
#include "explain/source/source_line.h"
#include "run/run.h"
#include "viz/cursor/cursor.h"

namespace lockstep::viz {

using explain::coordinates, explain::shortCoordinates;
using explain::CursorContext, explain::lookUp, explain::launchOf, explain::stepsOfWarp;

}  // namespace lockstep::viz
