// The window's frame for software OpenGL: kept between frames, and redrawn only where it changes.
#pragma once

#include "app/shell/drawing/changed_tiles.h"
#include "viz/scene/theme.h"

namespace lockstep::shell {

class KeptFrame {
public:
    KeptFrame() = default;
    KeptFrame(const KeptFrame&) = delete;
    KeptFrame& operator=(const KeptFrame&) = delete;
    // Requires the OpenGL context that it was drawn with, unless nothing was drawn.
    ~KeptFrame();

    // Brings the picture of the data, on this ground, to the window's back buffer. The data's lists are
    // reduced to what was drawn.
    void draw(ImDrawData& data, viz::Color ground);

private:
    void resize(int width, int height);

    ChangedTiles tiles_;
    u32 texture_ = 0, framebuffer_ = 0;
    int width_ = 0, height_ = 0;
};

}  // namespace lockstep::shell
