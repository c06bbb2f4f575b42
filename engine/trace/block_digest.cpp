#include "trace/block_digest.h"

#include <algorithm>

namespace lockstep::trace {

bool BlockDigester::isShared(u64 address) const {
    return std::ranges::any_of(
        shared_, [&](const AddressRange& range) { return address >= range.begin && address < range.end; });
}

void BlockDigester::access(Warp warp, const WarpAccess& access, u64 base, const LaneAddresses& distances) {
    if (!box_->shifts.empty()) {  // without them nothing is proved by what the accesses have in common
        Hash& hash = warps_[warp.value];
        const u64 at =
            access.space == Space::Global ? u8(base - box_->shiftOf(access.pc.value, block_)) : base;
        hash.add(u64{access.pc.value} << 32 | access.active.bits);
        hash.add(at << 16 | u64(access.space) << 8 | u64(access.kind) << 5 | access.widthBytes);
        for (const Lane lane : access.active)
            hash.add(distances[lane.value]);
    }
    if (access.space == Space::Global && !shared_.empty() && !access.active.empty() && isShared(base))
        touch(access, base, distances);
}

void BlockDigester::touch(const WarpAccess& access, u64 base, const LaneAddresses& distances) {
    // The old value of an atomic is not used: else its blocks are not sampled.
    const bool isLoad = access.kind == AccessKind::Load || access.kind == AccessKind::AsyncCopy;
    for (const Lane lane : access.active)
        for (u64 byte = 0; byte < access.widthBytes && bytes_.size() <= kMostTouched; ++byte) {
            const u64 address = base + distances[lane.value] + byte;
            Touched& touched = bytes_[address / 8];
            u8& bits = isLoad ? touched.loaded : touched.stored;
            bits = u8(bits | 1u << address % 8);
        }
}

BlockDigest BlockDigester::finish(bool tooLong) const {
    Hash whole;
    for (const Hash& warp : warps_)
        for (const u64 word : warp.value)
            whole.add(word);
    BlockDigest digest{.value = whole.value, .tooLong = tooLong, .readsOthers = bytes_.size() > kMostTouched};
    for (const auto& [at, touched] : bytes_)
        digest.readsOthers |= (touched.loaded & ~touched.stored) != 0;
    return digest;
}

}  // namespace lockstep::trace
