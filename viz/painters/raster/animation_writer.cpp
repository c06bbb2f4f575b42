#include "viz/painters/raster/animation_writer.h"

#include "base/check.h"

namespace lockstep::viz {

AnimationWriter::AnimationWriter(std::vector<AnimationFrame> frames,
                                 std::function<Image(const AnimationFrame&)> paint, AnimationFormat format,
                                 std::string comment)
    : frames_(std::move(frames)),
      paint_(std::move(paint)),
      comment_(std::move(comment)),
      passes_(format == AnimationFormat::Gif ? 2 : 1) {
    CHECK(!frames_.empty(), "a film has a frame");
    if (format == AnimationFormat::Apng) animation_ = apngAnimation(comment_);
}

bool AnimationWriter::drawOne() {
    if (drawn_ == frames_.size() * passes_) return false;
    const AnimationFrame& frame = frames_[drawn_ % frames_.size()];
    const Image image = paint_(frame);
    if (animation_)
        animation_->add(image, frame.milliseconds);
    else
        colors_.add(image);
    if (++drawn_ == frames_.size() && !animation_) animation_ = gifAnimation(colors_.palette(), comment_);
    return true;
}

}  // namespace lockstep::viz
