// Draws a film into an animation, a picture at a time, so that whoever waits can show how far it is, or stop
// it.
#pragma once

#include "viz/film.h"
#include "viz/painters/raster/animation.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::viz {

enum class FilmFormat : u8 {
    Gif,  // drawn twice: first its colors are counted
    Apng,
};

class FilmWriter {
public:
    // frames: at least one. paint: always the same picture for the same frame. comment: said in the file.
    FilmWriter(std::vector<FilmFrame> frames, std::function<Image(const FilmFrame&)> paint, FilmFormat format,
               std::string comment);

    // Draws one picture more; false once there is none left.
    bool drawOne();
    f64 progress() const { return f64(drawn_) / f64(frames_.size() * passes_); }
    // After the last one.
    std::vector<u8> file() { return animation_->finish(); }

private:
    std::vector<FilmFrame> frames_;
    std::function<Image(const FilmFrame&)> paint_;
    std::string comment_;
    ColourCount colours_;
    std::unique_ptr<Animation> animation_;
    std::size_t passes_, drawn_ = 0;
};

}  // namespace lockstep::viz
