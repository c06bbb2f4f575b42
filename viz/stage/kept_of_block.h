// What the stages keep of a block beside their own facts (Kept::parts).
#pragma once

#include "viz/stage/block_accesses.h"
#include "viz/stage/block_part.h"
#include "viz/stage/lazy_flow.h"
#include "viz/view.h"

#include <memory>
#include <optional>

namespace lockstep::viz {

struct KeptOfBlock {
    std::optional<BlockParts> parts{};
    std::shared_ptr<const BlockAccesses> accesses{};
    std::shared_ptr<const LazyFlow> flow{};
};

inline KeptOfBlock& keptOfBlock(Kept& kept) {
    if (!std::any_cast<KeptOfBlock>(&kept.parts)) kept.parts = KeptOfBlock{};
    return std::any_cast<KeptOfBlock&>(kept.parts);
}

// Of the cursor's block: kept from picture to picture, where the view keeps anything.
inline std::shared_ptr<const LazyFlow> flowOfBlock(const ViewInput& in) {
    Kept own;
    std::shared_ptr<const LazyFlow>& flow = keptOfBlock(in.kept ? *in.kept : own).flow;
    if (!flow) flow = std::make_shared<const LazyFlow>(in.run, in.cursor);
    return flow;
}

}  // namespace lockstep::viz
