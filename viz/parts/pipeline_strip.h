// In time, which tile a warp loads and which one it multiplies: a bar a tile in each of two rows, one below
// the other where both go on at once, with the cursor's step marked.
#pragma once

#include "explain/matrices/tile_pipeline.h"
#include "viz/scene/canvas.h"
#include "viz/view.h"

namespace lockstep::viz {

struct PipelineStrip {
    static constexpr f32 kHeight = 76;

    const ViewInput& in;
    const explain::TilePipeline& pipeline;

    void draw(Canvas& canvas, const Rect& area) const;
};

}  // namespace lockstep::viz
