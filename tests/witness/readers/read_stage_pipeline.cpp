// The strip below the stage of a kernel that prefetches: which tile is loaded, and which one multiplied,
// when.
#include "witness/readers/reader.h"

namespace lockstep::witness {

bool Reader::pipelineText(const Said& said) {
    const bool isBoth = is("Warp # multiplies tile # while tile # is loaded",
                           "线程束 # 计算分块 # 的同时，分块 # 正在装载"),
               isProduct = is("Warp # multiplies tile #", "线程束 # 计算分块 #"),
               isLoad = is("Warp # loads tile #", "线程束 # 装载分块 #"),
               isNeither = is("Warp #: loads and products of # tile*", "线程束 #：# 对分块的装载与计算"),
               isLoadHover = is("Warp # loads tile # of #: steps # to #.",
                                "线程束 # 装载第 # 对分块（共 # 对）：第 # 步到第 # 步。"),
               isProductHover = is("Warp # multiplies tile # of #: steps # to #.",
                                   "线程束 # 计算第 # 对分块（共 # 对）：第 # 步到第 # 步。");
    if (!isBoth && !isProduct && !isLoad && !isNeither && !isLoadHover && !isProductHover) return false;
    const auto [known, isNew] = w_.tileSpans_.try_emplace(&block_.block());
    if (isNew) known->second = tileSpansOf(block_);
    const TileSpans& all = known->second;
    const u32 w = cursor_.warp.value, lane = cursor_.lane.value;
    const auto multiplyOf = [&](u32 tile) {
        const auto found = all.multiplies.find({w, lane, tile});
        return found == all.multiplies.end() ? TileSpans::Span{} : found->second;
    };
    std::vector<std::optional<f64>> wanted{f64(w)};
    if (isLoadHover || isProductHover) {
        const u32 tile = u32(tokens_->at(1).value) - 1;
        const TileSpans::Span span = isLoadHover ? all.loadOf(block_, w, lane, tile) : multiplyOf(tile);
        wanted = {f64(w), f64(tile + 1), f64(all.tiles), f64(span.begin + 1), f64(span.end)};
        if (tile >= all.tiles || span.end == 0) fail(said, said.text, "no such tile");
    } else if (isNeither) {
        wanted.push_back(f64(all.tiles));
    } else {
        std::optional<u32> loaded, multiplied;
        for (u32 tile = 0; tile < all.tiles; ++tile) {
            if (!loaded && all.loadOf(block_, w, lane, tile).contains(cursor_.step)) loaded = tile;
            if (!multiplied && multiplyOf(tile).contains(cursor_.step)) multiplied = tile;
        }
        if (isBoth || isProduct) wanted.push_back(multiplied ? f64(*multiplied + 1) : -1);
        if (isBoth || isLoad) wanted.push_back(loaded ? f64(*loaded + 1) : -1);
    }
    expectAll(said, wanted);
    done_.assign(done_.size(), true);
    return true;
}

}  // namespace lockstep::witness
