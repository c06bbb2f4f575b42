// PNG by stb_image_write.
#include "viz/painters/raster/image.h"

#include "base/files/whole_file.h"
#include "viz/painters/raster/png_chunks.h"

#include <stb/stb_image_write.h>

#include <algorithm>
#include <cstring>

namespace lockstep::viz {

namespace {

// The same file with the text behind its header.
std::vector<u8> described(std::span<const u8> png, std::string_view description) {
    std::vector<u8> out(kPngSignature.begin(), kPngSignature.end());
    for (const PngChunk& chunk : pngChunks(png)) {
        appendChunk(out, chunk.type, chunk.data);
        if (chunk.type == "IHDR")
            appendText(out, "Software", "Lockstep"), appendText(out, "Description", description);
    }
    return out;
}

}  // namespace

std::vector<u8> encodePng(const Image& image, std::string_view description) {
    std::vector<u8> bytes;
    const auto append = [](void* to, void* data, int size) {
        auto& out = *static_cast<std::vector<u8>*>(to);
        out.insert(out.end(), static_cast<const u8*>(data), static_cast<const u8*>(data) + size);
    };
    stbi_write_png_to_func(append, &bytes, int(image.width), int(image.height), 4, image.rgba.data(),
                           int(image.width * 4));
    return description.empty() ? bytes : described(bytes, description);
}

Expected<void> writePng(const Image& image, const std::filesystem::path& file, std::string_view description) {
    const std::vector<u8> bytes = encodePng(image, description);
    return writeWholeFile(file, std::as_bytes(std::span(bytes)));
}

Image cropped(const Image& image, const ImageBox& box) {
    Image part{box.width, box.height, {}};
    part.rgba.reserve(std::size_t{box.width} * box.height * 4);
    for (u32 y = box.y; y < box.y + box.height; ++y) {
        const auto row = image.rgba.begin() + std::ptrdiff_t((std::size_t{y} * image.width + box.x) * 4);
        part.rgba.insert(part.rgba.end(), row, row + std::ptrdiff_t{box.width} * 4);
    }
    return part;
}

ImageBox changedBox(const Image& before, const Image& after) {
    u32 left = after.width, right = 0, top = after.height, bottom = 0;
    for (u32 y = 0; y < after.height; ++y) {
        const u8 *a = &before.rgba[std::size_t{y} * after.width * 4],
                 *b = &after.rgba[std::size_t{y} * after.width * 4];
        if (std::memcmp(a, b, std::size_t{after.width} * 4) == 0) continue;
        top = std::min(top, y), bottom = y + 1;
        u32 x = 0, end = after.width;
        while (std::memcmp(a + x * 4, b + x * 4, 4) == 0)
            ++x;
        while (std::memcmp(a + (end - 1) * 4, b + (end - 1) * 4, 4) == 0)
            --end;
        left = std::min(left, x), right = std::max(right, end);
    }
    return right > left ? ImageBox{left, top, right - left, bottom - top} : ImageBox{};
}

}  // namespace lockstep::viz
