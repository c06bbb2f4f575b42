// What the source view shows beside the mouse: the registers of a line, with their values in all lanes of the cursor's warp.
#pragma once

#include <memory>
#include <span>

#include "viz/canvas.h"
#include "viz/view.h"
#include "viz/warp_registers.h"

namespace lockstep::viz {

// A warp that has been gone through once is kept as long as the cursor stays with it.
struct RegisterCache { std::unique_ptr<WarpRegisters> of; };

// After the cursor's step. No size where the instructions name no register, or the block was not recorded. maxSize: what it may take up.
Scene registerBox(const run::Run& run, const Cursor& cursor, Language language, const TextMetrics& metrics, std::span<const Pc> instructions, Size maxSize, RegisterCache& cache);

}  // namespace lockstep::viz
