// What the stages keep of a block beside their own facts (Kept::parts).
#pragma once

#include "explain/access/block_accesses.h"
#include "explain/arrays/block_part.h"
#include "explain/lazy_flow.h"
#include "explain/shape.h"
#include "viz/cursor/lookup.h"
#include "viz/view.h"

#include <memory>
#include <optional>

namespace lockstep::viz {

struct BlockCache {
    std::optional<explain::BlockParts> parts{};
    std::shared_ptr<const explain::BlockAccesses> accesses{};
    std::shared_ptr<const explain::LazyFlow> flow{};
    std::optional<explain::ProvedShape> shape{};
    bool isNotDrawn = false;  // the stage of that shape does not show this block
};

inline BlockCache& blockCacheOf(ViewCache& kept) {
    if (!std::any_cast<BlockCache>(&kept.parts)) kept.parts = BlockCache{};
    return std::any_cast<BlockCache&>(kept.parts);
}

// Of the cursor's block: kept from picture to picture, where the view keeps anything.
inline std::shared_ptr<const explain::LazyFlow> flowOfBlock(const ViewInput& in, ViewCache& kept) {
    std::shared_ptr<const explain::LazyFlow>& flow = blockCacheOf(kept).flow;
    if (!flow) flow = std::make_shared<const explain::LazyFlow>(in.run, in.cursor);
    return flow;
}
inline std::shared_ptr<const explain::LazyFlow> flowOfBlock(const ViewInput& in) {
    ViewCache own;
    return flowOfBlock(in, in.cache ? *in.cache : own);
}

// What shape the cursor's block's computation has; Generic where its values cannot be followed.
inline const explain::ProvedShape& shapeOfBlock(const ViewInput& in, ViewCache& kept) {
    std::optional<explain::ProvedShape>& shape = blockCacheOf(kept).shape;
    if (!shape) {
        const CursorContext here = lookUp(in.run, in.cursor);
        const std::shared_ptr<const explain::LazyFlow> lazy = flowOfBlock(in, kept);
        const explain::BlockFlow* flow = here.block ? lazy->get() : nullptr;
        shape = flow ? explain::shapeOf(*in.run.module, in.run.recording.initial, *here.block, *flow)
                     : explain::unknownShape();
    }
    return *shape;
}

}  // namespace lockstep::viz
