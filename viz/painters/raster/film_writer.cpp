#include "viz/painters/raster/film_writer.h"

#include "base/check.h"

namespace lockstep::viz {

FilmWriter::FilmWriter(std::vector<FilmFrame> frames, std::function<Image(const FilmFrame&)> paint,
                       FilmFormat format, std::string comment)
    : frames_(std::move(frames)),
      paint_(std::move(paint)),
      comment_(std::move(comment)),
      passes_(format == FilmFormat::Gif ? 2 : 1) {
    CHECK(!frames_.empty(), "a film has a frame");
    if (format == FilmFormat::Apng) animation_ = apngAnimation(comment_);
}

bool FilmWriter::drawOne() {
    if (drawn_ == frames_.size() * passes_) return false;
    const FilmFrame& frame = frames_[drawn_ % frames_.size()];
    const Image image = paint_(frame);
    if (animation_)
        animation_->add(image, frame.milliseconds);
    else
        colours_.add(image);
    if (++drawn_ == frames_.size() && !animation_) animation_ = gifAnimation(colours_.palette(), comment_);
    return true;
}

}  // namespace lockstep::viz
