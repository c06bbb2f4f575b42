#include "viz/painters/raster/png_chunks.h"

#include "base/check.h"

#include <algorithm>
#include <zlib.h>

namespace lockstep::viz {
namespace {

u32 bigEndian(const u8* at) { return u32{at[0]} << 24 | u32{at[1]} << 16 | u32{at[2]} << 8 | at[3]; }

}  // namespace

std::vector<PngChunk> pngChunks(std::span<const u8> file) {
    constexpr std::size_t kFrame = 12;  // length, type, check sum
    std::vector<PngChunk> chunks;
    CHECK(file.size() >= kPngSignature.size() &&
              std::ranges::equal(file.first(kPngSignature.size()), kPngSignature),
          "a PNG file");
    for (std::size_t at = kPngSignature.size(); at < file.size();) {
        CHECK_GE(file.size() - at, kFrame, "a whole chunk");
        const u32 length = bigEndian(&file[at]);
        CHECK_GE(file.size() - at - kFrame, length, "a whole chunk");
        chunks.push_back({{reinterpret_cast<const char*>(&file[at + 4]), 4}, file.subspan(at + 8, length)});
        at += kFrame + length;
    }
    return chunks;
}

void appendBigEndian(std::vector<u8>& to, u32 value) {
    to.insert(to.end(), {u8(value >> 24), u8(value >> 16), u8(value >> 8), u8(value)});
}
void appendBigEndian(std::vector<u8>& to, u16 value) { to.insert(to.end(), {u8(value >> 8), u8(value)}); }

void appendChunk(std::vector<u8>& to, std::string_view type, std::span<const u8> data) {
    appendBigEndian(to, u32(data.size()));
    const std::size_t begin = to.size();
    to.insert(to.end(), type.begin(), type.end());
    to.insert(to.end(), data.begin(), data.end());
    appendBigEndian(to, u32(crc32(0, to.data() + begin, uInt(to.size() - begin))));
}

void appendText(std::vector<u8>& to, std::string_view keyword, std::string_view text) {
    const bool isAscii = std::ranges::all_of(text, [](char c) { return u8(c) < 0x80; });
    std::vector<u8> data(keyword.begin(), keyword.end());
    data.push_back(0);
    if (!isAscii)
        data.insert(data.end(), {0, 0, 0, 0});  // not compressed, no language, no translated keyword
    data.insert(data.end(), text.begin(), text.end());
    appendChunk(to, isAscii ? "tEXt" : "iTXt", data);
}

}  // namespace lockstep::viz
