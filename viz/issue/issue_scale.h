// Cycles as places of a picture, and what every part of the issue timeline draws on.
#pragma once

#include "viz/issue/issue_words.h"
#include "viz/scene/canvas.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace lockstep::viz {

inline constexpr u32 kSubcores = 4;  // of an SM

struct IssueScale {
    Rect lanes;      // where cycles are
    f64 pixels = 1;  // a cycle
    f64 from = 0;    // first cycle shown

    f32 x(u64 cycle) const { return f32(f64(lanes.x) + (f64(cycle) - from) * pixels); }
    f32 xWithin(u64 cycle) const { return std::clamp(x(cycle), lanes.x, lanes.right()); }
    u64 cycleAt(f32 x) const { return u64(std::max(0.0, from + f64(x - lanes.x) / pixels)); }
    u64 first() const { return cycleAt(lanes.x); }
    u64 end() const {
        constexpr f64 kRounding = 1e-6;  // no cycle more where the last one ends at the edge
        return u64(std::max(0.0, std::ceil(from + f64(lanes.width) / pixels - kRounding)));
    }
    bool shows(u64 begin, u64 until) const { return until > first() && begin < end(); }
    bool isExact() const { return pixels >= 1; }  // a cycle has a place of its own
};

struct IssueDrawing {
    const ViewInput& in;
    Canvas& canvas;
    std::shared_ptr<const run::IssueRun> issues;
    IssueScale scale;
    u32 subcore = 0;
    u32 smWarp = 0;  // the cursor's

    const time::SmRecord& sm() const { return issues->sm; }
    IssueSentences sentences() const { return {in.run, *issues, in.language}; }
    // The cursor at a step that an issue stands for; none: it stands for none with certainty.
    std::optional<Cursor> stepOf(u32 smWarp, std::size_t issue) const {
        const std::optional<Warp> warp = issues->ofBlock(smWarp);
        if (!warp || issue >= issues->steps[warp->value].size()) return std::nullopt;
        const u32 step = issues->steps[warp->value][issue];
        if (step == run::kNoStep) return std::nullopt;
        Cursor go = in.cursor;
        go.warp = *warp, go.step = step;
        return go;
    }
};

}  // namespace lockstep::viz
