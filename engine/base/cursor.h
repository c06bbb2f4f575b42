// The one selection that all views share.
#pragma once

#include "base/dim3.h"
#include "base/indices.h"

#include <optional>

namespace lockstep {

struct Cursor {
    LaunchId launch;
    Dim3 block{0, 0, 0};
    Warp warp;
    Lane lane;
    u32 step = 0;  // issued instruction of that warp, from 0; shown to people from 1
    bool operator==(const Cursor&) const = default;
};

}  // namespace lockstep
