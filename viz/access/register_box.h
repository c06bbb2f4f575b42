// What the source view shows beside the mouse: the registers of a line, with their values in all lanes of the
// cursor's warp.
#pragma once

#include "viz/access/line_registers.h"
#include "viz/scene/canvas.h"
#include "viz/view.h"

#include <span>

namespace lockstep::viz {

// After the cursor's step. No size where the instructions name no register, or the block was not recorded.
// maxSize: what it may take up.
Scene registerBox(const run::Run& run, const Cursor& cursor, Language language, const TextMetrics& metrics,
                  std::span<const Pc> instructions, Size maxSize, RegisterCache& cache);

}  // namespace lockstep::viz
