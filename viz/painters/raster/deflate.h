// Compression of pictures in zlib's format (RFC 1950, RFC 1951), as PNG files have it.
#pragma once

#include "base/integers.h"

#include <span>
#include <vector>

namespace lockstep::viz {

// Pictures as we draw them: what repeats is mostly the pixel before, of 4 bytes, or the row before, of
// `rowBytes`. Looking there first, and at one more place, is several times as fast as a general search, and
// as small.
std::vector<u8> zlibCompressed(std::span<const u8> data, std::size_t rowBytes);

}  // namespace lockstep::viz
