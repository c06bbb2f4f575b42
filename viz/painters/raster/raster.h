// A scene as pixels, without a display: PNG files, frames of animations, screenshots.
#pragma once

#include "viz/painters/raster/image.h"
#include "viz/scene/fonts.h"
#include "viz/scene/scene.h"
#include "viz/scene/theme.h"

#include <memory>

namespace lockstep::viz {

// Keeps its glyphs between pictures. `fonts` must outlive it.
class RasterPainter {
public:
    explicit RasterPainter(const Fonts& fonts);
    ~RasterPainter();

    // scale: pixels a logical pixel.
    Image paint(const Scene& scene, const Theme& theme, f32 scale = 1);

private:
    class Glyphs;
    std::unique_ptr<Glyphs> glyphs_;
};

}  // namespace lockstep::viz
