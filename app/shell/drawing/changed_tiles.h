// What of a frame differs from the one before, by tiles, and ImGui's draw data cut down to it. Where OpenGL
// runs in software a frame costs what it draws, and while a run is played most of the window stays as it is.
#pragma once

#include "app/shell/drawing/frame_pixels.h"

#include <vector>

namespace lockstep::shell {

class ChangedTiles {
public:
    // Boxes that do not overlap and together hold every pixel that is drawn otherwise than in the frame taken
    // before: all of it the first time and whenever its size is another. Few boxes, so some pixels in them
    // have not changed.
    std::vector<PixelBox> take(const ImDrawData& data);
    // Of the data that was taken last leaves what shows in these boxes.
    void cutDown(ImDrawData& data, const std::vector<PixelBox>& boxes) const;

private:
    static constexpr int kSide = 32;  // pixels; what changes is a lane's token, a line, a cell

    // Tiles; right and bottom not included.
    struct Reach {
        u16 left, top, right, bottom;
    };

    Reach reachOf(f32 left, f32 top, f32 right, f32 bottom) const;
    void mark(Reach reach, u64 what);
    std::vector<PixelBox> changed() const;

    PixelBox frame_{};
    int columns_ = 0, rows_ = 0;
    std::vector<u64> now_, before_;  // of each tile, what is drawn there and in which order
    std::vector<Reach> reaches_;     // of each triangle and each callback, as they are drawn
};

}  // namespace lockstep::shell
