#include "trace/shadow/shared_shadow.h"

#include "base/check.h"
#include "trace/shadow/poison.h"
#include "trace/shadow/shared_call.h"

#include <bit>
#include <cstring>

namespace lockstep::trace {

using namespace slots;

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
    phaseStart_ = next_++;  // bytes written without an access have this epoch
    barriers_.clear();
    for (WarpState& warp : warps_)
        warp.fencedInBlock = false;
    startEpochs();
}

u32 SharedShadow::siteOf(Pc pc, AccessKind kind) {
    if (pc.value >= siteByPc_.size()) siteByPc_.resize(std::size_t{pc.value} + 1, 0);
    u32& site = siteByPc_[pc.value];
    if (sites_.empty()) sites_.push_back({kNoPc, AccessKind::Load});  // number 0: too many to tell apart
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

void SharedShadow::markFenced(u32 warps) {
    for (; warps; warps &= warps - 1)
        warps_[u32(std::countr_zero(warps))].fencedInBlock = true;
}

std::vector<SharedRun> SharedShadow::written() const {
    return runsOf(sharedBytes_, shift_, [&](u32 granule) { return stores_.epochs[granule] > blockStart_; });
}

void SharedShadow::access(Warp warp, const WarpAccess& access, Strength strength, const std::byte* values,
                          const std::byte* before) {
    if (access.widthBytes >> shift_ == 0) refine(access.widthBytes == 1 ? 0 : 1);
    CHECK_LT(warp.value, warpCount_, "the block has this warp");
    WarpState& state = warps_[warp.value];

    const bool isAtomic = trace::isAtomic(access.kind);
    const bool isStore = access.kind == AccessKind::Store || access.kind == AccessKind::AsyncCopy;
    const bool isStrong = isAtomic || strength.ordering > Ordering::Volatile ||
                          (strength.ordering == Ordering::Volatile && (!isStore || state.fencedInBlock));
    const u64 key = u64{state.epoch} << 32 | u64{warp.value} << kWarpAt | (isStrong ? kStrong : 0) |
                    (isAtomic || isStore ? kWrites : 0) | siteOf(access.pc, access.kind);
    const Call call(*this, warp.value, access, key, values, before);
    if (isAtomic)
        atomic(call);
    else if (isStore)
        store(call);
    else
        load(call);
    if (call.raced.lanes) tell(call, FindingKind::Race);
    if (call.reliedOnLockStep.lanes) tell(call, FindingKind::WarpSynchronous);
    if (call.readUnwritten) tell(call, FindingKind::UninitializedRead);
    if (isStrong && (state.fencedInPhase || !flags_.empty() || strength.ordering >= Ordering::Acquire))
        synchronize(call, strength);
}

// A lane of `slot` that is not ordered before `lane` of this access; -1: none.
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
    // Both are still needed. Two are enough if they differ in the warp (then every other access finds one of
    // another warp), else in what they conflict with, else in the lane.
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
        if (isQuiet && joinReaders(call, lane, granule)) return;
        const int storer = isQuiet ? -1 : storerInTheWay(call, lane, granule);
        if (storer < 0) return loadOne(call, lane, granule);
        const Slot stored = stores_.at(granule);
        (warpOf(stored) == call.warp ? call.reliedOnLockStep : call.raced).add(lane, stored, storer);
        if (!joinReaders(call, lane, granule)) addGroup(call, lane, granule);
    });
}

// The lane whose store this load is not ordered after, where only readers have come since and no clocks tell
// more: what loadOne() finds most where a barrier is missing. -1: ask loadOne().
inline int SharedShadow::storerInTheWay(const Call& call, u32 lane, u64 granule) const {
    const u32 epoch = stores_.epochs[granule], storer = stores_.who[granule];
    const auto isOfReaders = [&](const Slots& slots) {
        return slots.epochs[granule] <= call.phaseStart || !(slots.who[granule] & kWrites);
    };
    if (call.hasClocks || epoch <= call.phaseStart || (storer & call.key & kStrong) ||
        !isOfReaders(others_) || !isOfReaders(anothers_))
        return -1;
    const bool isOfWarp = warpOf(storer) == call.warp;
    if (isOfWarp && epoch <= call.state.floor) return -1;
    if (!isOfWarp || laneOf(storer) != lane) return int(laneOf(storer));
    return secondLaneOf(storer) != lane ? int(secondLaneOf(storer)) : -1;
}

// Fast path of loadOne() for the common reader states: none yet, this warp, or warps without a barrier in
// between. False: use the slow path.
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

void SharedShadow::loadOne(const Call& call, u32 lane, u64 granule) {
    if (stores_.epochs[granule] <= call.blockStart) [[unlikely]]
        call.readUnwritten |= 1u << lane;
    report(call, lane, worstOf(call, lane, granule));
    addGroup(call, lane, granule);
}

void SharedShadow::atomic(const Call& call) {
    forEachGranule(call, call.access.active, [&](u32 lane, u64 granule) {
        if (stores_.epochs[granule] <= call.blockStart) [[unlikely]] {
            call.readUnwritten |= 1u << lane;
            stores_.set(granule, u64{blockStart_ + 1} << 32);
        }
        report(call, lane, worstOf(call, lane, granule));
        addGroup(call, lane, granule);
    });
}

// All lanes check first, then leave their marks: no lane is ordered before another.
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

SharedShadow::Worst SharedShadow::worstOf(const Call& call, u32 lane, u64 granule) {
    Worst worst{call.warp};
    for (const Slots* slots : {&others_, &anothers_}) {
        const Slot slot = slots->at(granule);
        worst.consider(slot, conflictingLane(call, lane, slot));
    }
    const Slot stored = stores_.at(granule);
    const int earlier = conflictingLane(call, lane, stored);
    if (earlier < 0) return worst;
    if (call.isStore) ++comparisons_;
    const u64 address = granule << shift_;
    const std::byte* before = call.before ? call.before + call.offsetOf(lane, address)
                              : memory_   ? memory_ + address
                                          : nullptr;
    const bool changesNothing = call.isStore && call.values && before &&
                                std::memcmp(before, call.valueAt(lane, address), 1u << shift_) == 0;
    if (!changesNothing || isPoisoned(call, lane, granule)) worst.consider(stored, earlier);
    return worst;
}

// Equal only because this block computed with poison?
bool SharedShadow::isPoisoned(const Call& call, u32 lane, u64 granule) const {
    return looksPoisoned(call.valueAt(lane, granule << shift_), 1u << shift_) &&
           findings_->hasReadPoison(block_);
}

void SharedShadow::storeOne(const Call& call, u32 lane, u64 granule) {
    const u32 marker =
        storeCall_;  // in `another`: stored by a lane of this call. As an epoch it is long past
    Slot mine = call.key | onlyLane(lane);
    const Slot stored = stores_.at(granule);
    if ((stored & ~kLanes) == call.key && anothers_.at(granule) == marker) [[unlikely]] {
        const u32 first = laneOf(stored);
        const u64 address = granule << shift_;
        const bool mayDiffer = first != lane && !(call.key & kStrong);
        if (mayDiffer) ++comparisons_;
        const bool isSame = !mayDiffer || (call.values &&
                                           std::memcmp(call.valueAt(first, address),
                                                       call.valueAt(lane, address), 1u << shift_) == 0 &&
                                           !isPoisoned(call, lane, granule));
        if (!isSame) call.raced.add(lane, stored, int(first));
        mine = withSecondLane(mine, first);
    }
    stores_.set(granule, mine);
    others_.epochs[granule] = 0;
    anothers_.set(granule, marker);
}

void SharedShadow::report(const Call& call, u32 lane, const Worst& worst) {
    if (worst.otherLane < 0) return;
    (warpOf(worst.slot) == call.warp ? call.reliedOnLockStep : call.raced)
        .add(lane, worst.slot, worst.otherLane);
}

void SharedShadow::tell(const Call& call, FindingKind kind) {
    const Call::Reported* const with = kind == FindingKind::Race              ? &call.raced
                                       : kind == FindingKind::WarpSynchronous ? &call.reliedOnLockStep
                                                                              : nullptr;
    const SharedFindings::InAccess of{.kind = kind,
                                      .pc = call.access.pc,
                                      .access = call.access.kind,
                                      .widthBytes = call.access.widthBytes,
                                      .warp = call.warp,
                                      .lanes = {with ? with->lanes : call.readUnwritten}};
    const auto inLane = [&](u32 lane) {
        SharedFindings::InLane in{.address = u32(call.access.addresses[lane])};
        if (!with) return in;
        const Slot slot = with->with[lane];
        const Site& site = sites_[siteNumberOf(slot)];
        in.otherThread = warpOf(slot) * kWarpSize + u32(with->otherLane[lane]);
        in.otherPc = site.pc;
        in.otherKind = site.kind;
        return in;
    };
    if (noted_ && !noted_->add(of, inLane)) areAllNoted_ = false;
    give(of, inLane, block_, sharedBytes_, *findings_);
}

Finding SharedShadow::findingOf(const SharedFindings::InAccess& of, const SharedFindings::InLane& inLane,
                                u32 lane, Dim3 block, u32 sharedBytes) const {
    const auto culprit = [&](u32 thread, Pc pc, AccessKind access) {
        return Culprit{pc, block, coordinatesOf(thread, extents_), access};
    };
    Finding finding;
    finding.kind = of.kind;
    finding.launch = launch_;
    finding.who = culprit(of.warp * kWarpSize + lane, of.pc, of.access);
    if (of.kind != FindingKind::UninitializedRead)
        finding.other = culprit(inLane.otherThread, inLane.otherPc, inLane.otherKind);
    finding.space = Space::Shared;
    finding.address = inLane.address;
    finding.widthBytes = of.widthBytes;
    finding.offsetBytes = s64(finding.address);
    finding.sizeBytes = sharedBytes;
    finding.count = of.times;
    return finding;
}

template <class HowInLane>
void SharedShadow::give(const SharedFindings::InAccess& of, HowInLane inLane, Dim3 block, u32 sharedBytes,
                        FindingCollector& findings) const {
    const auto make = [&](u32 lane) { return findingOf(of, inLane(lane), lane, block, sharedBytes); };
    if (of.kind == FindingKind::UninitializedRead) findings.notePoison(block);
    findings.add({of.kind, launch_, of.pc, block, of.warp * kWarpSize}, of.lanes, make, of.times);
}

void SharedShadow::repeat(const SharedFindings& noted, Dim3 block, u32 sharedBytes,
                          FindingCollector& findings) const {
    for (const SharedFindings::InAccess& of : noted.accesses())
        give(
            of, [&](u32 lane) { return noted.inLane(of, lane); }, block, sharedBytes, findings);
}

}  // namespace lockstep::trace
