// What a block does in shared memory, in the order in which it does it.
#pragma once

#include "explain/block_flow.h"
#include "explain/cursor/recorded.h"
#include "trace/trace.h"

#include <vector>

namespace lockstep::explain {

struct SharedEvent {
    u32 order = 0, warp = 0, step = 0;
    const trace::StoredAccess* access = nullptr;
};
std::vector<SharedEvent> sharedEvents(const trace::FocusBlock& block);

// As the instruction has it, which moves one value a lane; none where the type is none of an element.
std::optional<ElementType> typeOf(const Recorded& run, const SharedEvent& event);
// Which of its thread's loads the value that a store leaves is made of.
std::vector<bool> goInto(const BlockFlow& flow, const SharedEvent& store, Lane lane,
                         std::span<const u32> loadSteps);
f64 valueOf(const Recorded& run, const trace::FocusBlock& block, const SharedEvent& event, Lane lane);

}  // namespace lockstep::explain
