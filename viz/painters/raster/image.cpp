// PNG by stb_image_write.
#include "viz/painters/raster/image.h"

#include <stb/stb_image_write.h>

#include "base/whole_file.h"

namespace lockstep::viz {

std::vector<u8> encodePng(const Image& image) {
    std::vector<u8> bytes;
    const auto append = [](void* to, void* data, int size) {
        auto& out = *static_cast<std::vector<u8>*>(to);
        out.insert(out.end(), static_cast<const u8*>(data), static_cast<const u8*>(data) + size);
    };
    stbi_write_png_to_func(append, &bytes, int(image.width), int(image.height), 4, image.rgba.data(), int(image.width * 4));
    return bytes;
}

Expected<void> writePng(const Image& image, const std::filesystem::path& file) {
    const std::vector<u8> bytes = encodePng(image);
    return writeWholeFile(file, std::as_bytes(std::span(bytes)));
}

}  // namespace lockstep::viz
