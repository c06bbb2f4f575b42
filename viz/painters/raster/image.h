// A picture in memory and as a PNG file.
#pragma once

#include "base/expected.h"
#include "viz/scene/color.h"

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace lockstep::viz {

struct Image {
    u32 width = 0, height = 0;
    std::vector<u8> rgba;  // rows from the top, 4 bytes a pixel

    Color at(u32 x, u32 y) const {
        const u8* p = &rgba[(std::size_t{y} * width + x) * 4];
        return {p[0], p[1], p[2], f32(p[3]) / 255};
    }
};

// description: said in the file; of our pictures the command that shows the same. Empty: nothing.
std::vector<u8> encodePng(const Image& image, std::string_view description = {});
Expected<void> writePng(const Image& image, const std::filesystem::path& file,
                        std::string_view description = {});

// A part of the picture.
struct ImageBox {
    u32 x = 0, y = 0, width = 0, height = 0;
};
Image cropped(const Image& image, const ImageBox& box);
// The smallest box that holds all pixels in which the two, of one size, differ; empty where they are the
// same.
ImageBox changedBox(const Image& before, const Image& after);

}  // namespace lockstep::viz
