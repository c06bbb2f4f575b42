// Pixels that shapes are blended onto, with anti-aliased edges and a clip. All coordinates are pixels.
#pragma once

#include "viz/painters/raster/coverage.h"
#include "viz/painters/raster/image.h"
#include "viz/scene/scene.h"

#include <optional>
#include <span>

namespace lockstep::viz {

class Surface {
public:
    Surface(u32 width, u32 height, Color ground);

    void setClip(std::optional<Rect> clip);
    void fillRect(const Rect& rect, f32 radius, Color color);
    void strokeRect(const Rect& rect, f32 radius, f32 width,
                    Color color);  // the line lies half inside, half outside
    void fillPolygon(std::span<const Point> corners, Color color);
    // Lines of the given width along each of the paths; as one shape, so that crossings are not darker.
    void strokePaths(std::span<const std::vector<Point>> paths, f32 width, Color color);
    // A coverage bitmap (a glyph) with its top left pixel at (left, top).
    void stamp(const u8* coverage, int width, int height, int left, int top, Color color);

    Image take() && { return std::move(image_); }

private:
    PixelBox boxOf(f32 left, f32 top, f32 right, f32 bottom) const;
    void blend(int x, int y, Color color, f32 coverage);

    Image image_;
    PixelBox clip_;
};

}  // namespace lockstep::viz
