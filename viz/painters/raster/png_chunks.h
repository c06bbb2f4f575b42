// The chunks that a PNG file is made of (W3C PNG Specification, third edition, section 5).
#pragma once

#include "base/integers.h"

#include <array>
#include <span>
#include <string_view>
#include <vector>

namespace lockstep::viz {

inline constexpr std::array<u8, 8> kPngSignature{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

struct PngChunk {
    std::string_view type;  // "IHDR"
    std::span<const u8> data;
};
// Those of a whole file; it must be well formed, and stay where it is.
std::vector<PngChunk> pngChunks(std::span<const u8> file);

// With length and check sum.
void appendChunk(std::vector<u8>& to, std::string_view type, std::span<const u8> data);
void appendBigEndian(std::vector<u8>& to, u32 value);
void appendBigEndian(std::vector<u8>& to, u16 value);
// A text with its keyword: tEXt where it is ASCII, else iTXt.
void appendText(std::vector<u8>& to, std::string_view keyword, std::string_view text);

}  // namespace lockstep::viz
