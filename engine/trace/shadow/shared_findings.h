// What was found in a block's shared memory, apart from the block: another with the same accesses and the
// same synchronization has the same findings, unless stored values decided (SharedShadow::comparisons).
#pragma once

#include "trace/shadow/finding_collector.h"

#include <unordered_map>
#include <vector>

namespace lockstep::trace {

class SharedFindings {
public:
    // Of one lane of an access. other: the conflicting thread, linear, if the kind has one.
    struct InLane {
        u32 address = 0;
        u32 otherThread = 0;
        Pc otherPc = kNoPc;
        AccessKind otherKind = AccessKind::Load;
    };
    struct InAccess {
        FindingKind kind = FindingKind::Race;
        Pc pc;
        AccessKind access = AccessKind::Load;
        u8 widthBytes = 0;
        u32 warp = 0;
        LaneMask lanes;
        u32 first = 0;  // of inLanes(), one for each of the lanes
        u64 times = 1;  // with the same lanes
    };

    // of: how(lane) is called for its lanes if they are not known yet. False: there are too many.
    template <class How> bool add(InAccess of, How how) {
        if (InAccess* known = find(of)) {
            known->times += of.times;
            return true;
        }
        if (inLanes_.size() >= kMostLanes) return false;
        byPlace_.emplace(placeOf(of), u32(accesses_.size()));
        of.first = u32(inLanes_.size());
        for (Lane lane : of.lanes)
            inLanes_.push_back(how(lane.value));
        accesses_.push_back(of);
        return true;
    }
    bool add(const SharedFindings& others);

    bool empty() const { return accesses_.empty(); }
    std::size_t words() const { return 4 * accesses_.size() + 2 * inLanes_.size(); }  // of 8 bytes
    const std::vector<InAccess>& accesses() const { return accesses_; }
    const InLane& inLane(const InAccess& of, u32 lane) const {
        return inLanes_[of.first + LaneMask{of.lanes.bits & ((1u << lane) - 1)}.count()];
    }
    // As a FindingCollector tells findings apart.
    u64 distinct() const;
    std::vector<FindingCollector::Place> places() const;
    bool givePoison() const;

private:
    static constexpr std::size_t kMostLanes = 1u << 17;
    static u64 placeOf(const InAccess& of) { return u64{of.pc.value} << 32 | of.warp << 8 | u32(of.kind); }
    InAccess* find(const InAccess& of);

    std::vector<InAccess> accesses_;  // in order of occurrence
    std::vector<InLane> inLanes_;
    std::unordered_multimap<u64, u32> byPlace_;
};

}  // namespace lockstep::trace
