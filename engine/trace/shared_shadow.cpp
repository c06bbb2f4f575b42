#include "trace/shared_shadow.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"

namespace lockstep::trace {

namespace {

// A slot's 64 bits, from the top, so that comparing slots compares epochs:
// epoch 32 | warp 5 | one lane 5 | another lane (or the same) 5 | strong 1 | writes 1 | site 15
constexpr int kWarpAt = 27, kLaneAt = 22, kSecondLaneAt = 17;
constexpr u64 kStrong = 1u << 16, kWrites = 1u << 15, kFlags = kStrong | kWrites;
constexpr u32 kMostSites = 1u << 15;
constexpr u64 kLanes = u64{0x3ff} << kSecondLaneAt;

constexpr u32 epochOf(u64 slot) { return u32(slot >> 32); }
constexpr u32 warpOf(u64 slot) { return slot >> kWarpAt & 31; }
constexpr u32 laneOf(u64 slot) { return slot >> kLaneAt & 31; }
constexpr u32 secondLaneOf(u64 slot) { return slot >> kSecondLaneAt & 31; }
constexpr u32 siteNumberOf(u64 slot) { return slot & (kMostSites - 1); }
constexpr bool hasOneLane(u64 slot) { return laneOf(slot) == secondLaneOf(slot); }
constexpr u64 onlyLane(u32 lane) { return u64{lane} << kLaneAt | u64{lane} << kSecondLaneAt; }
constexpr u64 lastSlotOf(u32 epoch) { return u64{epoch} << 32 | 0xffffffff; }

// Not both strong, at least one writes.
constexpr bool collide(u64 flags, u64 slot) { return !(flags & slot & kStrong) && ((flags | slot) & kWrites); }

// Whatever collides with `old` collides with `flags` too: a strong load collides with plain stores only.
constexpr bool covers(u64 flags, u64 old) { return (flags & kFlags) == (old & kFlags) || (old & kFlags) == kStrong; }

constexpr u32 kMostEpochs = 0xffff0000;

template <std::size_t N>
void join(std::array<u32, N>& clock, const std::array<u32, N>& other) {
    for (std::size_t i = 0; i < N; ++i) clock[i] = std::max(clock[i], other[i]);
}

}  // namespace

struct SharedShadow::Call {
    const WarpAccess& access;
    u32 warp;
    u64 key;  // the slot that each lane will leave, without the lane
    u32 epoch, floor;
    u64 blockLimit, phaseLimit;  // slots up to here are of earlier blocks; need no look at who it was
    const WarpClock& clock;
    const LaneClocks* laneClocks;
    const std::byte* values = nullptr;
    mutable u32 raced = 0, reliedOnLockStep = 0, readUnwritten = 0;  // lanes: a vector's other words say nothing new
};

// Of the conflicts of one lane at one granule, the first with another warp, else the first.
struct SharedShadow::Worst {
    u32 warp;
    Slot slot = 0;
    int otherLane = -1;

    void consider(Slot candidate, int lane) {
        if (lane < 0 || (otherLane >= 0 && (warpOf(slot) != warp || warpOf(candidate) == warp))) return;
        slot = candidate;
        otherLane = lane;
    }
};

SharedShadow::SharedShadow(LaunchId launch, Dim3 blockExtents, u32 firstEpoch)
    : launch_(launch),
      extents_(blockExtents),
      threads_(u32(blockExtents.count())),
      warpCount_((threads_ + kWarpSize - 1) / kWarpSize),
      next_(firstEpoch),
      blockStart_(firstEpoch - 1) {
    CHECK(threads_ >= 1 && warpCount_ <= kMostWarps, "launches of larger blocks are refused");
}

void SharedShadow::beginBlock(Dim3 block, u32 sharedBytes, const std::byte* memory, FindingCollector& findings) {
    block_ = block;
    sharedBytes_ = sharedBytes;
    memory_ = memory;
    findings_ = &findings;
    const std::size_t granules = (std::size_t{sharedBytes} + (1u << shift_) - 1) >> shift_;
    if (entries_.size() < granules) entries_.resize(granules);

    if (next_ > kMostEpochs) renumber();
    blockStart_ = next_ - 1;
    phaseStart_ = next_++;  // what is written without an access is of this epoch
    barriers_.clear();
    for (WarpState& warp : warps_) warp.fencedInBlock = false;
    startEpochs();
}

void SharedShadow::blockBarrier() {
    phaseStart_ = next_ - 1;
    startEpochs();
}

void SharedShadow::startEpochs() {
    if (next_ > kMostEpochs) renumber();
    for (u32 w = 0; w < warpCount_; ++w) {
        warps_[w].epoch = next_++;
        warps_[w].fencedInPhase = false;
    }
    if (!laneClocks_.empty()) laneClocks_.clear();
    if (!flags_.empty()) flags_.clear();
    if (hasFlagsRead_)
        for (WarpState& warp : warps_) warp.flagsRead.clear();
    hasFlagsRead_ = false;
}

void SharedShadow::renew(WarpState& warp) {
    if (next_ > kMostEpochs)
        startEpochs();
    else
        warp.epoch = next_++;
}

// Epochs have run out: all that is known is forgotten, except which bytes are written.
void SharedShadow::renumber() {
    for (Entry& entry : entries_)
        entry = {.store = epochOf(entry.store) > blockStart_ ? u64{1} << 32 : 0, .other = 0, .another = 0};
    blockStart_ = 0;
    phaseStart_ = 1;
    next_ = 2;
    barriers_.clear();
    flags_.clear();
    for (WarpState& warp : warps_) {
        warp.floor = 0;
        warp.clock = {};
        warp.flagsRead.clear();
    }
}

u32 SharedShadow::siteOf(Pc pc, AccessKind kind) {
    if (pc.value >= siteByPc_.size()) siteByPc_.resize(std::size_t{pc.value} + 1, 0);
    u32& site = siteByPc_[pc.value];
    if (sites_.empty()) sites_.push_back({kNoPc, AccessKind::Load});  // number 0: one too many to be told apart
    if (!site && sites_.size() < kMostSites) {
        site = u32(sites_.size());
        sites_.push_back({pc, kind});
    }
    return site;
}

void SharedShadow::refine(u32 shift) {
    const u32 factor = 1u << (shift_ - shift);
    std::vector<Entry> finer(entries_.size() * factor);
    for (std::size_t i = 0; i < finer.size(); ++i) finer[i] = entries_[i / factor];
    entries_ = std::move(finer);
    flags_.clear();
    for (WarpState& warp : warps_) warp.flagsRead.clear();
    shift_ = shift;
}

void SharedShadow::markWritten(u32 offsetBytes, u32 bytes) {
    const u64 end = std::min<u64>(u64{offsetBytes} + bytes, sharedBytes_);
    for (u64 at = offsetBytes; at < end; at = ((at >> shift_) + 1) << shift_) {
        Entry& entry = entries_[at >> shift_];
        if (epochOf(entry.store) <= blockStart_) entry.store = u64{blockStart_ + 1} << 32;
    }
}

void SharedShadow::access(Warp warp, const WarpAccess& access, Strength strength, const std::byte* values) {
    if (access.widthBytes >> shift_ == 0) refine(access.widthBytes == 1 ? 0 : 1);
    CHECK(warp.value < warpCount_, "the block has this warp");
    WarpState& state = warps_[warp.value];

    const bool isAtomic = access.kind == AccessKind::Atomic || access.kind == AccessKind::Reduction;
    const bool isStore = access.kind == AccessKind::Store || access.kind == AccessKind::AsyncCopy;
    const bool isStrong = isAtomic || strength.ordering > Ordering::Volatile ||
                          (strength.ordering == Ordering::Volatile && (!isStore || state.fencedInBlock));
    const auto lanes = laneClocks_.empty() ? laneClocks_.end() : laneClocks_.find(warp.value);
    Call call{.access = access,
              .warp = warp.value,
              .key = u64{state.epoch} << 32 | u64{warp.value} << kWarpAt | (isStrong ? kStrong : 0) |
                     (isAtomic || isStore ? kWrites : 0) | siteOf(access.pc, access.kind),
              .epoch = state.epoch,
              .floor = state.floor,
              .blockLimit = lastSlotOf(blockStart_),
              .phaseLimit = lastSlotOf(phaseStart_),
              .clock = state.clock,
              .laneClocks = lanes == laneClocks_.end() ? nullptr : &lanes->second,
              .values = values};
    if (isAtomic)
        atomic(call);
    else if (isStore)
        store(call, values);
    else
        load(call);
    if (isStrong && (state.fencedInPhase || !flags_.empty() || strength.ordering >= Ordering::Acquire))
        synchronize(call, strength);
}

// Visits (lane, granule) for all active lanes.
template <class Visit>
void SharedShadow::forEachGranule(const Call& call, Visit visit) {
    const u32 width = call.access.widthBytes, perLane = width >> shift_;
    if (width > sharedBytes_) return;
    const u64 lastAddress = sharedBytes_ - width;
    for (Lane lane : call.access.active) {
        const u64 address = call.access.addresses[lane.value];
        if (address > lastAddress || address & (width - 1)) [[unlikely]]
            continue;
        const u64 first = address >> shift_;
        for (u32 i = 0; i < perLane; ++i) visit(lane.value, first + i);
    }
}

bool SharedShadow::orderedFor(const Call& call, u32 lane, Slot slot, u32 otherLane) const {
    const u32 epoch = epochOf(slot);
    if (warpOf(slot) != call.warp) return epoch <= call.clock[warpOf(slot)];
    if (otherLane == lane || epoch <= call.floor) return true;
    return call.laneClocks && epoch <= (*call.laneClocks)[lane][otherLane];
}

// A lane behind `slot` that nothing orders before `lane` of this access; -1: none.
int SharedShadow::conflictingLane(const Call& call, u32 lane, Slot slot) const {
    if (slot <= call.phaseLimit || !collide(call.key, slot)) return -1;
    for (u32 other : {laneOf(slot), secondLaneOf(slot)})
        if (!orderedFor(call, lane, slot, other)) return int(other);
    return -1;
}

void SharedShadow::addGroup(const Call& call, u32 lane, Entry& entry) {
    const Slot mine = call.key | onlyLane(lane);
    for (Slot* slot : {&entry.other, &entry.another}) {
        if ((*slot & ~kLanes) == call.key) {
            if (hasOneLane(*slot) && laneOf(*slot) != lane)
                *slot = (*slot & ~(u64{31} << kSecondLaneAt)) | u64{lane} << kSecondLaneAt;
            return;
        }
    }
    for (Slot* slot : {&entry.other, &entry.another}) {
        const bool isOver = *slot <= call.phaseLimit ||
                            (covers(call.key, *slot) && orderedFor(call, lane, *slot, laneOf(*slot)) &&
                             orderedFor(call, lane, *slot, secondLaneOf(*slot)));
        if (isOver) {
            *slot = mine;
            return;
        }
    }
    // Both are needed still. Two are enough if they differ in the warp (then every other access meets one of another warp), else
    // in what they collide with, else in the lane.
    const u32 warp = warpOf(entry.other);
    if (warpOf(entry.another) != warp) return;
    if (call.warp == warp) {
        const u64 flags = entry.other & kFlags;
        if ((entry.another & kFlags) != flags) return;
        const bool haveTwoLanes = !hasOneLane(entry.other) || !hasOneLane(entry.another) || laneOf(entry.other) != laneOf(entry.another);
        if ((call.key & kFlags) == flags && haveTwoLanes) return;
    }
    (entry.another & kWrites ? entry.other : entry.another) = mine;
}

void SharedShadow::load(const Call& call) {
    forEachGranule(call, [&](u32 lane, u64 granule) {
        Entry& entry = entries_[granule];
        if (entry.store <= call.blockLimit) [[unlikely]]
            report(call, lane, FindingKind::UninitializedRead, 0, -1);
        if (std::max(entry.other, entry.another) <= call.phaseLimit) [[likely]]
            entry.other = call.key | onlyLane(lane);
        else
            loadAmongOthers(call, lane, entry);
        if (entry.store > call.phaseLimit) {
            Worst worst{call.warp};
            worst.consider(entry.store, conflictingLane(call, lane, entry.store));
            report(call, lane, worst);
        }
    });
}

// Other lanes have touched the granule since its last store; atomically, perhaps.
void SharedShadow::loadAmongOthers(const Call& call, u32 lane, Entry& entry) {
    if ((entry.other | entry.another) & kWrites) {
        Worst worst{call.warp};
        worst.consider(entry.other, conflictingLane(call, lane, entry.other));
        worst.consider(entry.another, conflictingLane(call, lane, entry.another));
        report(call, lane, worst);
    }
    addGroup(call, lane, entry);
}

void SharedShadow::atomic(const Call& call) {
    forEachGranule(call, [&](u32 lane, u64 granule) {
        Entry& entry = entries_[granule];
        if (entry.store <= call.blockLimit) [[unlikely]] {
            report(call, lane, FindingKind::UninitializedRead, 0, -1);
            entry.store = u64{blockStart_ + 1} << 32;
        }
        Worst worst{call.warp};
        for (Slot slot : {entry.store, entry.other, entry.another}) worst.consider(slot, conflictingLane(call, lane, slot));
        report(call, lane, worst);
        addGroup(call, lane, entry);
    });
}

// All lanes look first and leave their marks then: none of them comes before another.
void SharedShadow::store(const Call& call, const std::byte* values) {
    const u32 granuleBytes = 1u << shift_;
    const auto valueAt = [&](u32 lane, u64 granule) {
        return values + u64{lane} * call.access.widthBytes + ((granule << shift_) - call.access.addresses[lane]);
    };
    forEachGranule(call, [&](u32 lane, u64 granule) {
        const Entry& entry = entries_[granule];
        if (std::max({entry.store, entry.other, entry.another}) <= call.phaseLimit) [[likely]]
            return;
        Worst worst{call.warp};
        worst.consider(entry.other, conflictingLane(call, lane, entry.other));
        worst.consider(entry.another, conflictingLane(call, lane, entry.another));
        const int earlier = conflictingLane(call, lane, entry.store);
        if (earlier >= 0) {
            const bool changesNothing = values && memory_ &&
                                        std::memcmp(memory_ + (granule << shift_), valueAt(lane, granule), granuleBytes) == 0;
            if (!changesNothing) worst.consider(entry.store, earlier);
        }
        report(call, lane, worst);
    });

    const u64 marker = ++storeCall_;  // as `another`: stored by a lane of this very call; as a slot it is long over
    forEachGranule(call, [&](u32 lane, u64 granule) {
        Entry& entry = entries_[granule];
        u32 second = lane;
        if (entry.another == marker && (entry.store & ~kLanes) == call.key) [[unlikely]] {
            second = laneOf(entry.store);
            const bool isSame = second == lane || (call.key & kStrong) ||
                                (values && std::memcmp(valueAt(second, granule), valueAt(lane, granule), granuleBytes) == 0);
            if (!isSame) report(call, lane, FindingKind::Race, entry.store, int(second));
        }
        entry = {.store = call.key | u64{lane} << kLaneAt | u64{second} << kSecondLaneAt, .other = 0, .another = marker};
    });
}

// Flags: what a strong access publishes and learns.
void SharedShadow::synchronize(const Call& call, Strength strength) {
    WarpState& warp = warps_[call.warp];
    const AccessKind kind = call.access.kind;
    if (!flags_.empty() && reads(kind)) {
        forEachGranule(call, [&](u32, u64 granule) {
            const auto flag = flags_.find(u32(granule));
            if (flag == flags_.end()) return;
            if (acquires(strength.ordering)) {
                acquire(warp, call.warp, flag->second);
            } else {
                warp.flagsRead.push_back(u32(granule));
                hasFlagsRead_ = true;
            }
        });
        std::ranges::sort(warp.flagsRead);
        warp.flagsRead.erase(std::ranges::unique(warp.flagsRead).begin(), warp.flagsRead.end());
    }
    if (writes(kind) && (warp.fencedInPhase || releases(strength.ordering))) {
        WarpClock published = warp.clock;
        published[call.warp] = warp.epoch;
        forEachGranule(call, [&](u32, u64 granule) {
            // A store begins anew, an atomic carries on what was released before it.
            const auto [flag, isNew] = flags_.try_emplace(u32(granule), published);
            if (isNew) return;
            if (kind == AccessKind::Store) flag->second = published;
            else join(flag->second, published);
        });
        renew(warp);
    }
}

void SharedShadow::acquire(WarpState& warp, u32 warpNumber, const WarpClock& released) {
    warp.floor = std::max(warp.floor, released[warpNumber]);
    join(warp.clock, released);
}

void SharedShadow::fence(Warp warp) {
    WarpState& state = warps_[warp.value];
    state.fencedInPhase = state.fencedInBlock = true;
    for (u32 granule : state.flagsRead)
        if (const auto flag = flags_.find(granule); flag != flags_.end()) acquire(state, warp.value, flag->second);
    state.flagsRead.clear();
}

void SharedShadow::arrive(Warp warp, u32 barrier) {
    WarpState& state = warps_[warp.value];
    WarpClock& gathering = barriers_[barrier].gathering;
    join(gathering, state.clock);
    gathering[warp.value] = std::max(gathering[warp.value], state.epoch);
    renew(state);
}

void SharedShadow::complete(u32 barrier) {
    BarrierState& state = barriers_[barrier];
    join(state.released, state.gathering);
    state.gathering = {};
}

void SharedShadow::pass(Warp warp, u32 barrier) { acquire(warps_[warp.value], warp.value, barriers_[barrier].released); }

void SharedShadow::warpSync(Warp warp, LaneMask mask) {
    WarpState& state = warps_[warp.value];
    const u32 met = state.epoch;
    renew(state);
    if (state.epoch < met) return;  // renumbered: all is ordered
    const LaneMask lanes = LaneMask::firstLanes(threads_ - std::min(threads_, warp.value * kWarpSize));
    if ((mask & lanes) == lanes) {
        state.floor = met;
        return;
    }
    LaneClocks& clocks = laneClocks_[warp.value];
    std::array<u32, kWarpSize> joined{};
    for (Lane lane : mask) {
        clocks[lane.value][lane.value] = met;
        join(joined, clocks[lane.value]);
    }
    for (Lane lane : mask) clocks[lane.value] = joined;
}

void SharedShadow::report(const Call& call, u32 lane, const Worst& worst) {
    if (worst.otherLane < 0) return;
    const FindingKind kind = warpOf(worst.slot) == call.warp ? FindingKind::WarpSynchronous : FindingKind::Race;
    report(call, lane, kind, worst.slot, worst.otherLane);
}

void SharedShadow::report(const Call& call, u32 lane, FindingKind kind, Slot slot, int otherLane) {
    u32& reported = kind == FindingKind::Race              ? call.raced
                    : kind == FindingKind::WarpSynchronous ? call.reliedOnLockStep
                                                           : call.readUnwritten;
    if (reported >> lane & 1) return;
    reported |= 1u << lane;

    const auto culprit = [&](u32 warp, u32 at, Pc pc, AccessKind access) {
        return Culprit{pc, block_, coordinatesOf(u64{warp} * kWarpSize + at, extents_), access};
    };
    Finding finding;
    finding.kind = kind;
    finding.launch = launch_;
    finding.who = culprit(call.warp, lane, call.access.pc, call.access.kind);
    if (otherLane >= 0) {
        const Site& site = sites_[siteNumberOf(slot)];
        finding.other = culprit(warpOf(slot), u32(otherLane), site.pc, site.kind);
    }
    finding.space = Space::Shared;
    finding.address = call.access.addresses[lane];
    finding.widthBytes = call.access.widthBytes;
    finding.offsetBytes = s64(finding.address);
    finding.sizeBytes = sharedBytes_;
    findings_->add(finding);
}

}  // namespace lockstep::trace
