// Pictures one after another in one file: GIF, which slides and documents show anywhere, and APNG, which
// keeps every color. Frame by frame: only the last one is kept. What does not change from frame to frame is
// written once.
#pragma once

#include "viz/painters/raster/image.h"

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lockstep::viz {

using Palette = std::vector<std::array<u8, 3>>;  // at most 256

// Which colors the frames of a GIF have: they share one palette, and nothing is dithered, so that a color
// means the same throughout.
class ColorCount {
public:
    void add(const Image& image);
    // All of them where they are at most 256. Else the most frequent, fills before the blends of edges, no
    // two of them closer to each other than it takes.
    Palette palette() const;

private:
    std::unordered_map<u32, u64> pixels_;
};

class Animation {
public:
    virtual ~Animation() = default;
    // All frames have the first one's size. A frame like the last one only lasts longer.
    virtual void add(const Image& frame, u32 milliseconds) = 0;
    // The file; nothing is added after it. There was at least one frame.
    virtual std::vector<u8> finish() = 0;
};

// Both play for ever. comment: said in the file.
std::unique_ptr<Animation> gifAnimation(Palette palette, std::string comment);
std::unique_ptr<Animation> apngAnimation(std::string comment);

}  // namespace lockstep::viz
