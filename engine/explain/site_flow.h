// The flow of a block's values by instruction: where what each store leaves, and what each load brings, came
// from, and how often.
#pragma once

#include "explain/block_flow.h"

#include <string_view>
#include <vector>

namespace lockstep::explain {

// "load", "computed", "immediate", "parameter", "special", "address", "nothing", "unknown".
std::string_view nameOf(Origin::Kind kind);
// "store", "nothing", "several", "unknown".
std::string_view nameOf(WrittenBy::Kind kind);

// One instruction that accesses memory. A value is an element of one lane's access.
struct SiteFlow {
    struct Stored {  // of a store, an atomic, cp.async
        Origin::Kind kind = Origin::Kind::Unknown;
        Pc pc;  // that loads, computes or names it; kNoPc: Unknown
        u64 values = 0;
    };
    struct Loaded {  // of a load
        WrittenBy::Kind kind = WrittenBy::Kind::Unknown;
        Pc pc;  // of the store; kNoPc where there is none
        u64 values = 0;
        u64 ofOtherThreads = 0;  // of these, what another thread stored
    };
    Pc pc;
    trace::Space space = trace::Space::Global;
    trace::AccessKind kind = trace::AccessKind::Load;
    std::vector<Stored> stored;  // most values first
    std::vector<Loaded> loaded;
};

// Of all instructions of the block that moved a value, by pc; of cp.async the side in shared memory.
std::vector<SiteFlow> siteFlows(const ptx::Module& module, const trace::FocusBlock& block,
                                const BlockFlow& flow);

}  // namespace lockstep::explain
