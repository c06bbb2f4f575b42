#include "trace/shadow/shared_owners.h"

#include <algorithm>
#include <array>
#include <bit>

namespace lockstep::trace {

void SharedOwners::beginBlock(u32 sharedBytes) {
    sharedBytes_ = sharedBytes;
    const std::size_t granules = (std::size_t{sharedBytes} + (1u << shift_) - 1) >> shift_;
    if (phase_ >= kMostPhases / 2 || writers_.size() < granules) {
        phase_ = 0;
        writers_.assign(std::max(granules, writers_.size()), 0);
        readers_.assign(writers_.size(), 0);
    }
    ofBlock_ = ++phase_ << kThreadBits;
    beginPhase();
}

void SharedOwners::beginPhase() {
    if (phase_ + 1 < kMostPhases) ++phase_;
    ofPhase_ = phase_ << kThreadBits;
    hasWrittenAnew_ = false;
}

void SharedOwners::markWritten(u32 offsetBytes, u32 bytes) {
    const u64 end = std::min<u64>(u64{offsetBytes} + bytes, sharedBytes_);
    for (u64 granule = offsetBytes >> shift_; granule << shift_ < end; ++granule)
        writers_[granule] = std::max(writers_[granule], ofBlock_);
}

std::vector<SharedRun> SharedOwners::written() const {
    return runsOf(sharedBytes_, shift_, [&](u32 granule) { return writers_[granule] >= ofBlock_; });
}

template <AccessKind kind> inline SharedOwners::Seen SharedOwners::accessOne(u32 granule, Tag mine) {
    const Tag writer = writers_[granule], reader = readers_[granule];
    const u32 isStale = writer < ofBlock_, isWritten = writer >= ofPhase_,
              isReadByOthers = u32(reader >= ofPhase_) & u32(reader != mine);
    if constexpr (kind == AccessKind::Load) {
        readers_[granule] = isReadByOthers ? ofPhase_ | kMany : mine;
        return {(isWritten & u32(writer != mine)) | isStale, 0};
    } else if constexpr (kind == AccessKind::Store) {
        writers_[granule] = mine;
        return {(isWritten & u32(writer != mine)) | isReadByOthers, isStale};
    } else {
        writers_[granule] = ofPhase_ | kAtomics;
        return {(isWritten & u32(writer != (ofPhase_ | kAtomics))) | isReadByOthers | isStale, 0};
    }
}

template <AccessKind kind> bool SharedOwners::accessAll(const Lanes& lanes, const u32* addresses) {
    const Tag first = ofPhase_ + 1 + lanes.warp * kWarpSize;
    const u32 perLane = lanes.widthBytes >> shift_;
    Seen all;
    const auto add = [&](Seen one) {
        all.isForeign |= one.isForeign;
        all.isNew |= one.isNew;
    };
    if (lanes.isRow && perLane == 1) {
        const u32 granule = addresses[0] >> shift_;
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            add(accessOne<kind>(granule + lane, first + lane));
    } else if (lanes.isRow) {
        const u32 granule = addresses[0] >> shift_;
        for (u32 i = 0; i < kWarpSize * perLane; ++i)
            add(accessOne<kind>(granule + i, first + i / perLane));
    } else if (perLane == 1) {
        for (const Lane lane : lanes.active)
            add(accessOne<kind>(addresses[lane.value] >> shift_, first + lane.value));
    } else {
        for (const Lane lane : lanes.active)
            for (u32 i = 0; i < perLane; ++i)
                add(accessOne<kind>((addresses[lane.value] >> shift_) + i, first + lane.value));
    }
    hasWrittenAnew_ = hasWrittenAnew_ || all.isNew;
    return !all.isForeign;
}

bool SharedOwners::access(const Lanes& lanes, const u32* addresses) {
    if (lanes.widthBytes >> shift_ == 0) {  // from now on in smaller pieces
        shift_ = u32(std::countr_zero(lanes.widthBytes));
        writers_.clear();
        beginBlock(sharedBytes_);
        return false;
    }
    if (phase_ + 1 >= kMostPhases) return false;
    switch (lanes.kind) {
        case AccessKind::Load: return accessAll<AccessKind::Load>(lanes, addresses);
        case AccessKind::Store:
        case AccessKind::AsyncCopy: return accessAll<AccessKind::Store>(lanes, addresses);
        default: return accessAll<AccessKind::Atomic>(lanes, addresses);
    }
}

}  // namespace lockstep::trace
