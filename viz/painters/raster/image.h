// A picture in memory and as a PNG file.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "base/expected.h"
#include "viz/colour.h"

namespace lockstep::viz {

struct Image {
    u32 width = 0, height = 0;
    std::vector<u8> rgba;  // rows from the top, 4 bytes a pixel

    Colour at(u32 x, u32 y) const {
        const u8* p = &rgba[(std::size_t{y} * width + x) * 4];
        return {p[0], p[1], p[2], f32(p[3]) / 255};
    }
};

std::vector<u8> encodePng(const Image& image);
Expected<void> writePng(const Image& image, const std::filesystem::path& file);

}  // namespace lockstep::viz
