// Draws the frames of an animation, a picture at a time, so that its progress can be shown and it can be
// stopped.
#pragma once

#include "viz/cursor/animation.h"
#include "viz/painters/raster/animation.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::viz {

enum class AnimationFormat : u8 {
    Gif,  // drawn twice: first its colors are counted
    Apng,
};

class AnimationWriter {
public:
    // frames: at least one. paint: always the same picture for the same frame. comment: said in the file.
    AnimationWriter(std::vector<AnimationFrame> frames, std::function<Image(const AnimationFrame&)> paint,
                    AnimationFormat format, std::string comment);

    // Draws one picture more; false once there is none left.
    bool drawOne();
    f64 progress() const { return f64(drawn_) / f64(frames_.size() * passes_); }
    // After the last one.
    std::vector<u8> file() { return animation_->finish(); }

private:
    std::vector<AnimationFrame> frames_;
    std::function<Image(const AnimationFrame&)> paint_;
    std::string comment_;
    ColorCount colors_;
    std::unique_ptr<Animation> animation_;
    std::size_t passes_, drawn_ = 0;
};

}  // namespace lockstep::viz
