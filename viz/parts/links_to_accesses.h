// Each cell of a stage tells who touches its element, and leads there.
#pragma once

#include "base/text/words.h"
#include "explain/access/block_accesses.h"
#include "viz/view.h"

#include <memory>

namespace lockstep::viz {

// Of a copy that needs no register, the side in shared memory is written.
const Words& verbFor(trace::Space space, trace::AccessKind kind);

// Of the cursor's block: kept from picture to picture, where the view keeps anything.
std::shared_ptr<const explain::BlockAccesses> accessesOfBlock(const ViewInput& in);

// A cell's answer to the mouse where the cursor's step does not touch it: who touches it and when, after what
// is said of it anyway; a click goes to the nearest access. order: of the cursor's step.
Hit linkTo(const ViewInput& in, const explain::BlockAccesses& accesses, trace::Space space, u64 address,
           u32 order, std::string said);

}  // namespace lockstep::viz
