#include "base/copy_buffers.h"

#include <algorithm>
#include <cstddef>

namespace lockstep {

bool copyBytes(const std::vector<std::byte>& from, std::vector<std::byte>& to,
               const std::function<bool()>& isUnwanted) {
    constexpr std::size_t kPiece = 4 << 20;
    to.clear();
    to.reserve(from.size());
    for (std::size_t at = 0; at < from.size(); at += kPiece) {
        if (isUnwanted && isUnwanted()) return false;
        const std::span<const std::byte> piece =
            std::span(from).subspan(at, std::min(kPiece, from.size() - at));
        to.insert(to.end(), piece.begin(), piece.end());
    }
    return true;
}

bool copyBuffers(std::span<const Buffer> from, std::vector<Buffer>& to,
                 const std::function<bool()>& isUnwanted) {
    to.resize(from.size());
    for (std::size_t b = 0; b < from.size(); ++b) {
        to[b].name = from[b].name, to[b].type = from[b].type, to[b].shape = from[b].shape;
        if (!copyBytes(from[b].bytes, to[b].bytes, isUnwanted)) return false;
    }
    return true;
}

}  // namespace lockstep
