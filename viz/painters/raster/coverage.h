// How much of each pixel a shape covers, exactly: edges add signed areas, a running sum over a row gives the
// coverage. (The method of font rasterisers such as font-rs; overlapping parts of one winding add up and are
// cut off at 1.)
#pragma once

#include "viz/scene/scene.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace lockstep::viz {

struct PixelBox {  // [left, right) x [top, bottom)
    int left = 0, top = 0, right = 0, bottom = 0;
    bool empty() const { return left >= right || top >= bottom; }
    PixelBox cutTo(const PixelBox& o) const {
        return {std::max(left, o.left), std::max(top, o.top), std::min(right, o.right),
                std::min(bottom, o.bottom)};
    }
};

class Coverage {
public:
    explicit Coverage(PixelBox box);
    void polygon(std::span<const Point> corners);

    // Calls visit(x, y, coverage) for each pixel that is touched.
    template <class Visit> void visit(Visit&& visit) const {
        for (int y = box_.top; y < box_.bottom; ++y) {
            const f32* row = &areas_[std::size_t(y - box_.top) * stride_];
            f32 sum = 0;
            for (int x = box_.left; x < box_.right; ++x) {
                sum += row[x - box_.left];
                if (const f32 coverage = std::min(1.0f, std::fabs(sum)); coverage > 1.0f / 512)
                    visit(x, y, coverage);
            }
        }
    }

private:
    void edge(Point a, Point b);

    PixelBox box_;
    std::size_t stride_;
    std::vector<f32> areas_;
};

}  // namespace lockstep::viz
