// What views keep of a block beside their own facts (ViewCache::block).
#pragma once

#include "explain/access/block_accesses.h"
#include "explain/arrays/block_part.h"
#include "explain/lazy_flow.h"
#include "viz/cursor/lookup.h"
#include "viz/view.h"

#include <memory>
#include <optional>

namespace lockstep::viz {

struct StripCache;  // step_strip.cpp

struct BlockCache {
    std::optional<explain::BlockParts> parts{};
    std::shared_ptr<const explain::BlockAccesses> accesses{};
    std::shared_ptr<const explain::LazyFlow> flow{};
    std::shared_ptr<StripCache> strip{};
    bool isNotDrawn = false;  // the stage of that shape does not show this block
};

inline BlockCache& blockCacheOf(ViewCache& kept) {
    if (!kept.block) kept.block = std::make_shared<BlockCache>();
    return *kept.block;
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
    return flowOfBlock(in, kept)->shape();
}

// The one that all views of a run's block share, as long as any of them keeps it.
class SharedBlockCache {
public:
    std::shared_ptr<BlockCache> of(const std::shared_ptr<const run::Run>& run, const Cursor& cursor) {
        const Cursor block{cursor.launch, cursor.block, {}, {}, 0};
        std::shared_ptr<BlockCache> cache = cache_.lock();
        if (!cache || run_.lock() != run || block_ != block) {
            cache = std::make_shared<BlockCache>();
            cache_ = cache, run_ = run, block_ = block;
        }
        return cache;
    }

private:
    std::weak_ptr<const run::Run> run_;
    Cursor block_;
    std::weak_ptr<BlockCache> cache_;
};

}  // namespace lockstep::viz
