#include "viz/parts/step_at.h"

namespace lockstep::viz {

std::optional<Cursor> stepAt(const Cursor& cursor, const CursorContext& here,
                             const std::function<bool(Pc)>& isThere) {
    if (!here.warp) return std::nullopt;
    const auto& steps = here.warp->steps;
    for (std::size_t i = 1; i <= steps.size(); ++i) {
        const std::size_t s = (cursor.step + i) % steps.size();
        if (!isThere(steps[s].pc)) continue;
        Cursor go = cursor;
        go.step = u32(s);
        return go;
    }
    return std::nullopt;
}

}  // namespace lockstep::viz
