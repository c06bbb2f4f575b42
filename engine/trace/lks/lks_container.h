// The container format of a .lks file: sections of bytes, each compressed with zstd and checksummed, after a
// header with its own checksum.
//
//   8 bytes   magic "\x89LKS\r\n\x1a\n" (as PNG's: a transfer that changes line ends shows)
//   u32       version of the format
//   u32       number of sections
//   per section: u32 kind, u32 0, u64 offset in the file, u64 packed bytes, u64 bytes, u64 checksum of the
//   packed bytes u64       checksum of all of the above the sections, in order, without gaps to the end of
//   the file
// All numbers little-endian; checksums are FNV-1a, 64 bits.
#pragma once

#include "base/expected.h"

#include <span>
#include <string>
#include <vector>

namespace lockstep::trace {

inline constexpr u32 kLksVersion = 2;
// Limit for all sections together, unpacked: no file may need more memory than a laptop has.
inline constexpr u64 kMostLksBytes = u64{2} << 30;

struct LksSection {
    u32 kind = 0;
    std::vector<std::byte> bytes;
};

std::vector<std::byte> packSections(std::span<const LksSection> sections);
// `name`: of the file, for messages.
Expected<std::vector<LksSection>> unpackSections(std::span<const std::byte> file, const std::string& name);

}  // namespace lockstep::trace
