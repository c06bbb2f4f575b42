#include "explain/lazy_flow.h"

#include "explain/cursor/lookup.h"

#include <utility>

namespace lockstep::explain {

const BlockFlow* LazyFlow::get() const {
    if (!std::exchange(isDone_, true))
        if (const CursorContext here = lookUp(run_, cursor_); here.block && run_.module)
            if (auto flow = BlockFlow::of(*run_.module, launchOf(run_, cursor_.launch),
                                          run_.recording.initial.size(), *here.block))
                flow_ = std::move(*flow);
    return flow_ ? &*flow_ : nullptr;
}

const ProvedShape& LazyFlow::shape() const {
    if (!shape_) {
        const BlockFlow* flow = get();
        shape_ = flow ? shapeOf(*run_.module, run_.recording.initial, *lookUp(run_, cursor_).block, *flow)
                      : unknownShape();
    }
    return *shape_;
}

std::optional<Origin> bufferLoadBehind(const BlockFlow& flow, const Origin& stored) {
    const auto isOfBuffer = [&](const Origin& load) {
        const auto place = flow.loadedFrom(load);
        return place && place->space == trace::Space::Global;
    };
    if (stored.kind == Origin::Kind::Load) return isOfBuffer(stored) ? std::optional(stored) : std::nullopt;
    if (stored.kind != Origin::Kind::Computed) return std::nullopt;
    const std::vector<Origin> loads = flow.loadsBehind(stored);
    return loads.size() == 1 && isOfBuffer(loads.front()) ? std::optional(loads.front()) : std::nullopt;
}

}  // namespace lockstep::explain
