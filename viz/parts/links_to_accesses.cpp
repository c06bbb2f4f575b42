#include "viz/parts/links_to_accesses.h"

#include "viz/parts/block_cache.h"
#include "viz/phrases.h"

namespace lockstep::viz {
namespace {

constexpr Words kTouchedAt = english("Nearest access in time: warp {0}, lane {1} {2} it at step {3}.");
constexpr Words kTouchedAtToo =
    english("Nearest access in time: warp {0}, lane {1} {2} it at step {3}; {4} more {4:access|accesses}.");

}  // namespace

const Words& verbFor(trace::Space space, trace::AccessKind kind) {
    return verbOf(space == trace::Space::Shared && kind == trace::AccessKind::AsyncCopy
                      ? trace::AccessKind::Store
                      : kind);
}

std::shared_ptr<const explain::BlockAccesses> accessesOfBlock(const ViewInput& in) {
    ViewCache own;
    BlockCache& kept = blockCacheOf(in.cache ? *in.cache : own);
    if (!kept.accesses) kept.accesses = std::make_shared<const explain::BlockAccesses>(in.run, in.cursor);
    return kept.accesses;
}

Hit linkTo(const ViewInput& in, const explain::BlockAccesses& accesses, trace::Space space, u64 address,
           u32 order, std::string said) {
    Hit hit{.hover = std::move(said)};
    const auto nearest = accesses.nearest(space, address, order);
    if (!nearest) return hit;
    const explain::BlockAccesses::Touch& touch = nearest->touch;
    Cursor go = in.cursor;
    go.warp = touch.warp, go.step = touch.step;
    if (!touch.lanes.has(go.lane)) go.lane = touch.lanes.lowest();
    hit.go = go;
    // Worded when it is asked for: a stage has thousands of cells.
    hit.hoverLater = [before = std::exchange(hit.hover, {}), go, more = nearest->more, kind = touch.kind,
                      space, l = in.language] {
        const std::string_view verb = verbFor(space, kind).in(l);
        std::string who = more ? say(l, kTouchedAtToo, go.warp.value, go.lane.value, verb, go.step + 1, more)
                               : say(l, kTouchedAt, go.warp.value, go.lane.value, verb, go.step + 1);
        if (before.empty()) return who;
        return before +
               (l == Language::English   ? before.ends_with('.') ? " " : ". "
                : before.ends_with("。") ? ""
                                         : "。") +
               who;
    };
    return hit;
}

}  // namespace lockstep::viz
