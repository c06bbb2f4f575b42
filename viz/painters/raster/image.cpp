#include "viz/painters/raster/image.h"

#include "base/check.h"
#include "base/files/whole_file.h"
#include "viz/painters/raster/png_chunks.h"

#include <algorithm>
#include <cstring>
#include <zlib.h>

namespace lockstep::viz {
namespace {

std::vector<u8> compressed(const std::vector<u8>& bytes) {
    // The quickest: the files of our pictures hardly get smaller by more.
    uLongf size = compressBound(uLong(bytes.size()));
    std::vector<u8> out(size);
    CHECK_EQ(compress2(out.data(), &size, bytes.data(), uLong(bytes.size()), Z_BEST_SPEED), Z_OK,
             "the room is enough");
    out.resize(size);
    return out;
}

}  // namespace

std::vector<u8> encodePng(const Image& image, std::string_view description) {
    std::vector<u8> out(kPngSignature.begin(), kPngSignature.end()), header;
    appendBigEndian(header, image.width);
    appendBigEndian(header, image.height);
    header.insert(header.end(), {8, 6, 0, 0, 0});  // bits a channel, RGBA, the only methods, not interlaced
    appendChunk(out, "IHDR", header);
    if (!description.empty())
        appendText(out, "Software", "Lockstep"), appendText(out, "Description", description);
    // Each row with filter 0, none: areas of one color, and text, are smaller as they are.
    const std::size_t rowBytes = std::size_t{image.width} * 4;
    std::vector<u8> rows;
    rows.reserve((rowBytes + 1) * image.height);
    for (std::size_t at = 0; at < image.rgba.size(); at += rowBytes) {
        rows.push_back(0);
        rows.insert(rows.end(), image.rgba.begin() + std::ptrdiff_t(at),
                    image.rgba.begin() + std::ptrdiff_t(at + rowBytes));
    }
    appendChunk(out, "IDAT", compressed(rows));
    appendChunk(out, "IEND", {});
    return out;
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
