// One access of a warp as the pictures of banks and of sectors draw it, wherever it comes from: a run's trace
// or the playground.
#pragma once

#include "trace/access.h"
#include "viz/cursor/lookup.h"
#include "viz/view.h"

#include <functional>

namespace lockstep::viz {

struct AccessOnShow {
    trace::WarpAccess access;
    Language language = Language::English;
    Warp warp;  // whose color it has
    Lane cursor;
    u32 exist = kWarpSize;  // lanes of the warp
    f32 motion = 1;
    u64 zero = 0;                       // the address that byte and word numbers count from
    bool movable = false;               // lanes can be let go on any element
    std::function<Hit(Lane)> hit = {};  // what a lane says, and what a click on it does

    Role color(Lane lane) const { return warpRole(warp, lane, exist); }
    // What is said of a place where this lane, or a lane of several, reaches; a click goes to it.
    Hit hitOf(Lane lane, std::string hover) const;
    // The cursor's lane if it is one of these, else the lowest.
    Lane laneToGo(LaneMask lanes) const { return lanes.has(cursor) ? cursor : lanes.lowest(); }
    s64 elementAt(u64 address) const {  // below 0 before the start
        const s64 offset = s64(address - zero), width = access.widthBytes;
        return offset / width - (offset % width < 0);
    }
};

// The access of `here`, which has one, as recorded.
AccessOnShow accessOnShow(const ViewInput& in, const CursorContext& here);

}  // namespace lockstep::viz
