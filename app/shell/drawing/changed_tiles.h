// Finds what differs from the previous frame, by tiles, and reduces ImGui's draw data to it. With software
// OpenGL a frame costs what it draws, and during playback most of the window does not change.
#pragma once

#include "app/shell/drawing/frame_pixels.h"

#include <vector>

namespace lockstep::shell {

class ChangedTiles {
public:
    // Disjoint boxes that cover every pixel that differs from the previous frame: the whole frame the first
    // time and whenever its size changes. Few boxes, so some pixels in them have not changed.
    std::vector<PixelBox> take(const ImDrawData& data);
    // Reduces the last data to what is visible in these boxes.
    void cutDown(ImDrawData& data, const std::vector<PixelBox>& boxes) const;

private:
    static constexpr int kSide = 32;  // pixels; what changes is a lane's token, a line, a cell

    // Tiles; right and bottom not included.
    struct Reach {
        u16 left, top, right, bottom;
    };

    std::size_t indexOf(int x, int y) const {
        return std::size_t(y) * std::size_t(columns_) + std::size_t(x);
    }
    Reach reachOf(f32 left, f32 top, f32 right, f32 bottom) const;
    void mark(Reach reach, u64 what);
    std::vector<PixelBox> changed() const;

    PixelBox frame_{};
    int columns_ = 0, rows_ = 0;
    std::vector<u64> now_, before_;  // per tile: hash of what is drawn there, in order
    std::vector<Reach> reaches_;     // of each triangle and each callback, as they are drawn
};

}  // namespace lockstep::shell
