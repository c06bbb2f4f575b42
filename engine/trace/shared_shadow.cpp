#include "trace/shared_shadow.h"

#include "base/check.h"

#include <algorithm>
#include <cstring>

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
constexpr std::array<u32, kWarpSize> kOnlyLanes = [] {
    std::array<u32, kWarpSize> result{};
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        result[lane] = u32(onlyLane(lane));
    return result;
}();
constexpr u64 withSecondLane(u64 slot, u32 lane) {
    return (slot & ~(u64{31} << kSecondLaneAt)) | u64{lane} << kSecondLaneAt;
}

// Not both strong, at least one writes.
constexpr bool collide(u64 flags, u64 slot) {
    return !(flags & slot & kStrong) && ((flags | slot) & kWrites);
}

// Whatever collides with `old` collides with `flags` too: a strong load collides with plain stores only.
constexpr bool covers(u64 flags, u64 old) {
    return (flags & kFlags) == (old & kFlags) || (old & kFlags) == kStrong;
}

constexpr u64 kNoRow = ~u64{0};
constexpr u32 kMostEpochs = 0xffff0000;

// Lane n is n times the width from lane 0.
template <u32 Width> bool isRow(const LaneAddresses& addresses) {
    const u64 first = addresses[0];
    u64 difference = first & (Width - 1);
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        difference |= addresses[lane] - (first + lane * Width);
    return difference == 0;
}

template <std::size_t N> void join(std::array<u32, N>& clock, const std::array<u32, N>& other) {
    for (std::size_t i = 0; i < N; ++i)
        clock[i] = std::max(clock[i], other[i]);
}

}  // namespace

// Only filled in by the constructor: clearing it first would cost more than a fast access.
struct SharedShadow::Call {
    Call(const SharedShadow& shadow, u32 warpNumber, const WarpAccess& warpAccess, u64 slot,
         const std::byte* storedValues)
        : access(warpAccess),
          state(shadow.warps_[warpNumber]),
          laneClocks(shadow.laneClocks_),
          warp(warpNumber),
          shift(shadow.shift_),
          key(slot),
          blockStart(shadow.blockStart_),
          phaseStart(shadow.phaseStart_),
          hasClocks(shadow.hasClocks_),
          isStore(warpAccess.kind == AccessKind::Store || warpAccess.kind == AccessKind::AsyncCopy),
          sharedBytes(shadow.sharedBytes_),
          values(storedValues) {}

    const WarpAccess& access;
    const WarpState& state;
    const std::unordered_map<u32, LaneClocks>& laneClocks;
    u32 warp, shift;
    u64 key;  // the slot that each lane will leave, without the lane
    u32 blockStart, phaseStart;
    bool hasClocks, isStore;
    u64 sharedBytes;
    const std::byte* values;
    mutable u32 raced = 0, reliedOnLockStep = 0,
                readUnwritten = 0;  // lanes: a vector's other words say nothing new

    // Was it this very lane and no other?
    bool isOwn(u32 who, u32 lane) const {
        constexpr u32 kThread = u32{31} << kWarpAt | u32(kLanes);
        return (who & kThread) == (warp << kWarpAt | kOnlyLanes[lane]);
    }
    const std::byte* valueAt(u32 lane, u64 address) const {
        return values + u64{lane} * access.widthBytes + (address - access.addresses[lane]);
    }
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

void SharedShadow::beginBlock(Dim3 block, u32 sharedBytes, const std::byte* memory,
                              FindingCollector& findings) {
    block_ = block;
    sharedBytes_ = sharedBytes;
    memory_ = memory;
    findings_ = &findings;
    const std::size_t granules = (std::size_t{sharedBytes} + (1u << shift_) - 1) >> shift_;
    for (Slots* slots : {&stores_, &others_, &anothers_})
        slots->resize(granules);

    if (next_ > kMostEpochs) renumber();
    blockStart_ = next_ - 1;
    phaseStart_ = next_++;  // what is written without an access is of this epoch
    barriers_.clear();
    for (WarpState& warp : warps_)
        warp.fencedInBlock = false;
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
    hasClocks_ = !barriers_.empty();
    if (!flags_.empty()) flags_.clear();
    if (hasFlagsRead_)
        for (WarpState& warp : warps_)
            warp.flagsRead.clear();
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
    for (u32& epoch : stores_.epochs)
        epoch = epoch > blockStart_;
    std::ranges::fill(others_.epochs, 0);
    std::ranges::fill(anothers_.epochs, 0);
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
    if (sites_.empty())
        sites_.push_back({kNoPc, AccessKind::Load});  // number 0: one too many to be told apart
    if (!site && sites_.size() < kMostSites) {
        site = u32(sites_.size());
        sites_.push_back({pc, kind});
    }
    return site;
}

void SharedShadow::Slots::resize(std::size_t granules) {
    if (granules <= epochs.size()) return;
    epochs.resize(granules);
    who.resize(granules);
}

void SharedShadow::Slots::refine(u32 factor) {
    for (std::vector<u32>* coarse : {&epochs, &who}) {
        std::vector<u32> finer(coarse->size() * factor);
        for (std::size_t i = 0; i < finer.size(); ++i)
            finer[i] = (*coarse)[i / factor];
        *coarse = std::move(finer);
    }
}

void SharedShadow::refine(u32 shift) {
    for (Slots* slots : {&stores_, &others_, &anothers_})
        slots->refine(1u << (shift_ - shift));
    flags_.clear();
    for (WarpState& warp : warps_)
        warp.flagsRead.clear();
    shift_ = shift;
}

void SharedShadow::markWritten(u32 offsetBytes, u32 bytes) {
    const u64 end = std::min<u64>(u64{offsetBytes} + bytes, sharedBytes_);
    for (u64 at = offsetBytes; at < end; at = ((at >> shift_) + 1) << shift_) {
        if (stores_.epochs[at >> shift_] <= blockStart_)
            stores_.set(at >> shift_, u64{blockStart_ + 1} << 32);
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
    const u64 key = u64{state.epoch} << 32 | u64{warp.value} << kWarpAt | (isStrong ? kStrong : 0) |
                    (isAtomic || isStore ? kWrites : 0) | siteOf(access.pc, access.kind);
    const Call call(*this, warp.value, access, key, values);
    if (isAtomic)
        atomic(call);
    else if (isStore)
        store(call);
    else
        load(call);
    if (isStrong && (state.fencedInPhase || !flags_.empty() || strength.ordering >= Ordering::Acquire))
        synchronize(call, strength);
}

// Visits (lane, granule) for all of the lanes.
template <class Visit> void SharedShadow::forEachGranule(const Call& call, LaneMask lanes, Visit visit) {
    const u32 width = call.access.widthBytes, perLane = width >> shift_;
    if (width > sharedBytes_) return;
    const u64 lastAddress = sharedBytes_ - width;
    for (Lane lane : lanes) {
        const u64 address = call.access.addresses[lane.value];
        if (address > lastAddress || address & (width - 1)) [[unlikely]]
            continue;
        const u64 first = address >> shift_;
        for (u32 i = 0; i < perLane; ++i)
            visit(lane.value, first + i);
    }
}

bool SharedShadow::orderedFor(const Call& call, u32 lane, Slot slot, u32 otherLane) {
    const u32 epoch = epochOf(slot);
    if (warpOf(slot) != call.warp) return epoch <= call.state.clock[warpOf(slot)];
    if (otherLane == lane || epoch <= call.state.floor) return true;
    if (call.laneClocks.empty()) return false;
    const auto clocks = call.laneClocks.find(call.warp);
    return clocks != call.laneClocks.end() && epoch <= clocks->second[lane][otherLane];
}

// A lane behind `slot` that nothing orders before `lane` of this access; -1: none.
int SharedShadow::conflictingLane(const Call& call, u32 lane, Slot slot) {
    if (epochOf(slot) <= call.phaseStart || !collide(call.key, slot)) return -1;
    for (u32 other : {laneOf(slot), secondLaneOf(slot)})
        if (!orderedFor(call, lane, slot, other)) return int(other);
    return -1;
}

void SharedShadow::addGroup(const Call& call, u32 lane, u64 granule) {
    const Slot mine = call.key | onlyLane(lane);
    const Slot other = others_.at(granule), another = anothers_.at(granule);
    for (Slots* slots : {&others_, &anothers_}) {
        const Slot slot = slots->at(granule);
        if ((slot & ~kLanes) != call.key) continue;
        if (hasOneLane(slot) && laneOf(slot) != lane) slots->set(granule, withSecondLane(slot, lane));
        return;
    }
    for (Slots* slots : {&others_, &anothers_}) {
        const Slot slot = slots->at(granule);
        const bool isOver = epochOf(slot) <= call.phaseStart ||
                            (covers(call.key, slot) && orderedFor(call, lane, slot, laneOf(slot)) &&
                             orderedFor(call, lane, slot, secondLaneOf(slot)));
        if (!isOver) continue;
        slots->set(granule, mine);
        return;
    }
    // Both are needed still. Two are enough if they differ in the warp (then every other access meets one of
    // another warp), else in what they collide with, else in the lane.
    const u32 warp = warpOf(other);
    if (warpOf(another) != warp) return;
    if (call.warp == warp) {
        const u64 flags = other & kFlags;
        if ((another & kFlags) != flags) return;
        const bool haveTwoLanes =
            !hasOneLane(other) || !hasOneLane(another) || laneOf(other) != laneOf(another);
        if ((call.key & kFlags) == flags && haveTwoLanes) return;
    }
    (another & kWrites ? others_ : anothers_).set(granule, mine);
}

// The first granule, if lane n is at the n-th from it; else kNoRow. (An optional would cost as much as the
// rest: it comes back through memory, written in small pieces and read in large ones.)
u64 SharedShadow::rowOf(const Call& call) {
    const WarpAccess& access = call.access;
    if (access.active != LaneMask::all() || access.widthBytes != 1u << call.shift) return kNoRow;
    const LaneAddresses& at = access.addresses;
    const bool isOne = call.shift == 2 ? isRow<4>(at) : call.shift == 1 ? isRow<2>(at) : isRow<1>(at);
    if (!isOne || at[31] >= call.sharedBytes || at[0] > at[31]) return kNoRow;
    return at[0] >> call.shift;
}

void SharedShadow::load(const Call& call) {
    if (loadRow(call)) return;
    const u32 later = loadQuietly(call);
    if (!later) return;
    const u32 phaseStart = call.phaseStart, blockStart = call.blockStart;
    const u32 *storeEpochs = stores_.epochs.data(), *storers = stores_.who.data();
    forEachGranule(call, LaneMask{later}, [=, this, &call](u32 lane, u64 granule) {
        const u32 store = storeEpochs[granule];
        const bool isQuiet =
            store > blockStart && (store <= phaseStart || call.isOwn(storers[granule], lane));
        if (!isQuiet || !joinReaders(call, lane, granule)) loadOne(call, lane, granule);
    });
}

// One granule a lane, which nobody has touched in this phase. Gives the lanes for which this is not so.
u32 SharedShadow::loadQuietly(const Call& call) {
    const WarpAccess& access = call.access;
    if (access.active != LaneMask::all() || access.widthBytes != 1u << call.shift) return access.active.bits;
    std::array<u32, kWarpSize> granules;
    u64 beyond = 0;
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
        beyond |= access.addresses[lane] & (access.widthBytes - 1u);
        beyond |= access.addresses[lane] >> 32;
        granules[lane] = u32(access.addresses[lane]) >> call.shift;
    }
    u32 last = 0;
    for (u32 granule : granules)
        last = std::max(last, granule);
    if (beyond || u64{last} << call.shift >= call.sharedBytes) return access.active.bits;

    const u32 afterBlock = call.blockStart + 1, span = call.phaseStart - call.blockStart,
              phaseStart = call.phaseStart;
    const u32 epoch = u32(call.key >> 32), who = u32(call.key);
    const u32 *stores = stores_.epochs.data(), *anothers = anothers_.epochs.data();
    u32 *others = others_.epochs.data(), *readers = others_.who.data();
    u32 later = 0;
    u32 runOf = ~0u, runLane = 0;  // neighbouring lanes at one granule: two of them stand for all
    bool runHasTwo = false;
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
        const u32 granule = granules[lane];
        if (granule == runOf) {
            if (!runHasTwo) readers[granule] = who | runLane << kLaneAt | lane << kSecondLaneAt;
            runHasTwo = true;
            continue;
        }
        if (stores[granule] - afterBlock < span && others[granule] <= phaseStart) {
            others[granule] = epoch;
            readers[granule] = who | kOnlyLanes[lane];
            runOf = granule;
            runLane = lane;
            runHasTwo = false;
        } else if (stores[granule] - afterBlock < span && others[granule] == epoch &&
                   anothers[granule] <= phaseStart && (readers[granule] & ~u32(kLanes)) == who) {
            if (hasOneLane(readers[granule])) readers[granule] = u32(withSecondLane(readers[granule], lane));
        } else {
            later |= 1u << lane;
        }
    }
    return later;
}

// What loadOne() does to readers in the cases that fill ordinary kernels: nobody yet, this warp, or warps
// that had no barrier in between. False: look closer.
inline bool SharedShadow::joinReaders(const Call& call, u32 lane, u64 granule) {
    const u32 mine = u32(call.key) | kOnlyLanes[lane], epoch = u32(call.key >> 32), lanes = u32(kLanes);
    u32 &otherEpoch = others_.epochs[granule], &other = others_.who[granule];
    if (otherEpoch <= call.phaseStart) {
        otherEpoch = epoch;
        other = mine;
        return true;
    }
    u32 &anotherEpoch = anothers_.epochs[granule], &another = anothers_.who[granule];
    const bool hasAnother = anotherEpoch > call.phaseStart;
    if (call.hasClocks || other & kWrites || (hasAnother && another & kWrites)) return false;
    const bool isOfWarp = warpOf(other) == call.warp;
    if (isOfWarp && otherEpoch == epoch && (other & ~lanes) == (mine & ~lanes)) {
        if (hasOneLane(other) && laneOf(other) != lane) other = u32(withSecondLane(other, lane));
        return true;
    }
    if ((isOfWarp && otherEpoch <= call.state.floor) || (other ^ mine) & kFlags) return false;
    if (!hasAnother) {
        anotherEpoch = epoch;
        another = mine;
        return true;
    }
    return warpOf(another) != warpOf(other) &&
           (warpOf(another) != call.warp || anotherEpoch > call.state.floor);
}

// Neighbouring lanes at neighbouring granules, which nobody but the lanes themselves has touched in this
// phase: all at once.
bool SharedShadow::loadRow(const Call& call) {
    const u64 row = rowOf(call);
    if (row == kNoRow) return false;
    const u32 *stores = stores_.epochs.data() + row, *others = others_.epochs.data() + row;
    u32 newest = 0, oldest = ~0u;
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
        newest = std::max(newest, std::max(stores[lane], others[lane]));
        oldest = std::min(oldest, stores[lane]);
    }
    if (oldest <= call.blockStart) return false;
    if (newest > call.phaseStart &&
        !(isRowOwn(call, stores_, row, 0) && isRowOwn(call, others_, row, kFlags) &&
          isRowOver(call, anothers_, row)))
        return false;
    leaveRow(others_, row, call.key);
    return true;
}

bool SharedShadow::storeRow(const Call& call) {
    const u64 row = rowOf(call);
    if (row == kNoRow) return false;
    const u32 *stores = stores_.epochs.data() + row, *others = others_.epochs.data() + row;
    u32 newest = 0;
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        newest = std::max(newest, std::max(stores[lane], others[lane]));
    if (newest > call.phaseStart) {
        if (!(isRowOwn(call, stores_, row, 0) && isRowOwn(call, others_, row, 0) &&
              isRowOver(call, anothers_, row)))
            return false;
        std::fill_n(others_.epochs.data() + row, kWarpSize, 0);
    }
    leaveRow(stores_, row, call.key);
    return true;
}

bool SharedShadow::isRowOver(const Call& call, const Slots& slots, u64 first) {
    const u32* epochs = slots.epochs.data() + first;
    return *std::max_element(epochs, epochs + kWarpSize) <= call.phaseStart;
}

// Each slot of an earlier phase, or left by the very lane of this access; then equal in these of its flags.
bool SharedShadow::isRowOwn(const Call& call, const Slots& slots, u64 first, u64 flags) {
    const u32 *epochs = slots.epochs.data() + first, *who = slots.who.data() + first;
    const u32 phaseStart = call.phaseStart, key = u32(call.key),
              mask = u32{31} << kWarpAt | u32(kLanes) | u32(flags);
    u32 foreign = 0;
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        foreign |= epochs[lane] > phaseStart ? (who[lane] ^ (key | kOnlyLanes[lane])) & mask : 0;
    return foreign == 0;
}

void SharedShadow::leaveRow(Slots& slots, u64 first, u64 key) {
    u32 *epochs = slots.epochs.data() + first, *who = slots.who.data() + first;
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        epochs[lane] = u32(key >> 32);
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        who[lane] = u32(key) | kOnlyLanes[lane];
}

void SharedShadow::loadOne(const Call& call, u32 lane, u64 granule) {
    if (stores_.epochs[granule] <= call.blockStart) [[unlikely]]
        report(call, lane, FindingKind::UninitializedRead, 0, -1);
    report(call, lane, worstOf(call, lane, granule));
    addGroup(call, lane, granule);
}

void SharedShadow::atomic(const Call& call) {
    forEachGranule(call, call.access.active, [&](u32 lane, u64 granule) {
        if (stores_.epochs[granule] <= call.blockStart) [[unlikely]] {
            report(call, lane, FindingKind::UninitializedRead, 0, -1);
            stores_.set(granule, u64{blockStart_ + 1} << 32);
        }
        report(call, lane, worstOf(call, lane, granule));
        addGroup(call, lane, granule);
    });
}

// All lanes look first and leave their marks then: none of them comes before another.
void SharedShadow::store(const Call& call) {
    if (storeRow(call)) return;
    ++storeCall_;
    const u32 phaseStart = call.phaseStart;
    const u32 *stores = stores_.epochs.data(), *others = others_.epochs.data();
    const u32 *storers = stores_.who.data(), *readers = others_.who.data(),
              *anothers = anothers_.epochs.data();
    forEachGranule(call, call.access.active, [=, this, &call](u32 lane, u64 granule) {
        const bool isStoreQuiet = stores[granule] <= phaseStart || call.isOwn(storers[granule], lane);
        const bool areReadersQuiet = others[granule] <= phaseStart ||
                                     (call.isOwn(readers[granule], lane) && anothers[granule] <= phaseStart);
        if (!isStoreQuiet || !areReadersQuiet) report(call, lane, worstOf(call, lane, granule));
    });
    forEachGranule(call, call.access.active,
                   [this, &call](u32 lane, u64 granule) { storeOne(call, lane, granule); });
}

SharedShadow::Worst SharedShadow::worstOf(const Call& call, u32 lane, u64 granule) const {
    Worst worst{call.warp};
    for (const Slots* slots : {&others_, &anothers_}) {
        const Slot slot = slots->at(granule);
        worst.consider(slot, conflictingLane(call, lane, slot));
    }
    const Slot stored = stores_.at(granule);
    const int earlier = conflictingLane(call, lane, stored);
    if (earlier < 0) return worst;
    const bool changesNothing =
        call.isStore && call.values && memory_ &&
        std::memcmp(memory_ + (granule << shift_), call.valueAt(lane, granule << shift_), 1u << shift_) == 0;
    if (!changesNothing) worst.consider(stored, earlier);
    return worst;
}

void SharedShadow::storeOne(const Call& call, u32 lane, u64 granule) {
    const u32 marker =
        storeCall_;  // in `another`: stored by a lane of this very call. As an epoch it is long over
    Slot mine = call.key | onlyLane(lane);
    const Slot stored = stores_.at(granule);
    if ((stored & ~kLanes) == call.key && anothers_.at(granule) == marker) [[unlikely]] {
        const u32 first = laneOf(stored);
        const u64 address = granule << shift_;
        const bool isSame = first == lane || (call.key & kStrong) ||
                            (call.values && std::memcmp(call.valueAt(first, address),
                                                        call.valueAt(lane, address), 1u << shift_) == 0);
        if (!isSame) report(call, lane, FindingKind::Race, stored, int(first));
        mine = withSecondLane(mine, first);
    }
    stores_.set(granule, mine);
    others_.epochs[granule] = 0;
    anothers_.set(granule, marker);
}

// Flags: what a strong access publishes and learns.
void SharedShadow::synchronize(const Call& call, Strength strength) {
    WarpState& warp = warps_[call.warp];
    const AccessKind kind = call.access.kind;
    if (!flags_.empty() && reads(kind)) {
        forEachGranule(call, call.access.active, [&](u32, u64 granule) {
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
        hasClocks_ = true;
        WarpClock published = warp.clock;
        published[call.warp] = warp.epoch;
        forEachGranule(call, call.access.active, [&](u32, u64 granule) {
            // A store begins anew, an atomic carries on what was released before it.
            const auto [flag, isNew] = flags_.try_emplace(u32(granule), published);
            if (isNew) return;
            if (kind == AccessKind::Store)
                flag->second = published;
            else
                join(flag->second, published);
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
        if (const auto flag = flags_.find(granule); flag != flags_.end())
            acquire(state, warp.value, flag->second);
    state.flagsRead.clear();
}

void SharedShadow::arrive(Warp warp, u32 barrier) {
    hasClocks_ = true;
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

void SharedShadow::pass(Warp warp, u32 barrier) {
    acquire(warps_[warp.value], warp.value, barriers_[barrier].released);
}

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
    hasClocks_ = true;
    LaneClocks& clocks = laneClocks_[warp.value];
    std::array<u32, kWarpSize> joined{};
    for (Lane lane : mask) {
        clocks[lane.value][lane.value] = met;
        join(joined, clocks[lane.value]);
    }
    for (Lane lane : mask)
        clocks[lane.value] = joined;
}

void SharedShadow::report(const Call& call, u32 lane, const Worst& worst) {
    if (worst.otherLane < 0) return;
    const FindingKind kind =
        warpOf(worst.slot) == call.warp ? FindingKind::WarpSynchronous : FindingKind::Race;
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
