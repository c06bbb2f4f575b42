// The stage of a matrix product whose threads compute several elements of P each: the block's tiles, its part
// of P with each thread's patch, and the registers of the cursor's thread, which hold the patch's sums.
#pragma once

#include "explain/matrices/patch_facts.h"
#include "viz/view.h"

namespace lockstep::viz {

Scene buildPatchStage(const ViewInput& in, const explain::PatchFacts& facts);

}  // namespace lockstep::viz
