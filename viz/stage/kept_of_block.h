// What the stages keep of a block beside their own facts (Kept::parts).
#pragma once

#include "explain/shape.h"
#include "viz/lookup.h"
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
    std::optional<explain::ProvedShape> shape{};
    bool isNotDrawn = false;  // the stage of that shape does not show this block: a thread makes several sums
};

inline KeptOfBlock& keptOfBlock(Kept& kept) {
    if (!std::any_cast<KeptOfBlock>(&kept.parts)) kept.parts = KeptOfBlock{};
    return std::any_cast<KeptOfBlock&>(kept.parts);
}

// Of the cursor's block: kept from picture to picture, where the view keeps anything.
inline std::shared_ptr<const LazyFlow> flowOfBlock(const ViewInput& in, Kept& kept) {
    std::shared_ptr<const LazyFlow>& flow = keptOfBlock(kept).flow;
    if (!flow) flow = std::make_shared<const LazyFlow>(in.run, in.cursor);
    return flow;
}
inline std::shared_ptr<const LazyFlow> flowOfBlock(const ViewInput& in) {
    Kept own;
    return flowOfBlock(in, in.kept ? *in.kept : own);
}

// What shape the cursor's block's computation has; Generic where its values cannot be followed.
inline const explain::ProvedShape& shapeOfBlock(const ViewInput& in, Kept& kept) {
    std::optional<explain::ProvedShape>& shape = keptOfBlock(kept).shape;
    if (!shape) {
        const Here here = lookUp(in.run, in.cursor);
        const std::shared_ptr<const LazyFlow> lazy = flowOfBlock(in, kept);
        const explain::BlockFlow* flow = here.block ? lazy->get() : nullptr;
        shape = flow ? explain::shapeOf(*in.run.module, in.run.recording.initial, *here.block, *flow)
                     : explain::unknownShape();
    }
    return *shape;
}

}  // namespace lockstep::viz
