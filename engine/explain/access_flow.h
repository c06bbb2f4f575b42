// The flow of a block's values access by access: of each step that accesses memory, where the values that it
// stores were made, or which store left what it loads.
#pragma once

#include "explain/block_flow.h"

#include <string_view>
#include <vector>

namespace lockstep::explain {

// One step's access. A value is an element of a lane's.
struct AccessFlow {
    // Lanes whose values come from one step.
    struct From {
        std::string_view kind;  // nameOf(Origin::Kind), or nameOf(WrittenBy::Kind) of a load
        u8 element = 0;         // of a vector
        LaneMask lanes;
        Pc pc = kNoPc;  // that loads, computes, names or stores it; kNoPc: there is none, or it is not known
        Warp warp;      // whose step that is
        u32 step = 0;
        std::vector<Lane> ofLanes;  // by lane of `lanes`; empty: each lane its own
    };
    Warp warp;
    u32 step = 0;
    Pc pc;
    trace::Space space = trace::Space::Global;
    trace::AccessKind kind = trace::AccessKind::Load;
    std::vector<From> from;
};

struct AccessFlows {
    std::vector<AccessFlow> accesses;  // warp by warp, in the order of their steps
    u64 leftOut = 0;                   // beyond the most
};
// Of all accesses of a block that move a value; of cp.async the side in shared memory.
AccessFlows accessFlows(const ptx::Module& module, const trace::FocusBlock& block, const BlockFlow& flow,
                        std::size_t most);

}  // namespace lockstep::explain
