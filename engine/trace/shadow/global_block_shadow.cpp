// A block's accesses to global memory: each is compared with the tags it finds, and leaves its own.
#include "trace/shadow/global_block_state.h"
#include "trace/shadow/poison.h"

#include <bit>
#include <cstring>

namespace lockstep::trace {

using State = GlobalBlockShadow::State;

namespace {

// Whatever conflicts with `old` conflicts with `now` too: a strong load conflicts with plain stores only.
bool covers(const GlobalEpoch& now, const GlobalEpoch& old) {
    return (now.isStrong == old.isStrong && now.writes() == old.writes()) || (old.isStrong && !old.writes());
}

}  // namespace

GlobalBlockShadow::GlobalBlockShadow(GlobalShadow& shadow, FindingCollector& findings)
    : state_(std::make_unique<State>(shadow, findings)), flags_(shadow.flags_.get()) {}
GlobalBlockShadow::~GlobalBlockShadow() = default;
GlobalBlockShadow::GlobalBlockShadow(GlobalBlockShadow&&) noexcept = default;

void GlobalBlockShadow::beginBlock(Block linear) {
    State& s = *state_;
    if (s.generation != s.shadow.generation_) {
        s.chunk = {};
        s.claims = &s.shadow.newClaims();
    }
    s.generation = s.shadow.generation_;
    s.isParallel = s.shadow.mode_ == GlobalShadow::Mode::Parallel;
    s.block = linear.value;
    s.at = coordinatesOf(linear.value, s.shadow.grid_);
    s.firstOwner = u32(linear.value * s.shadow.extents_.count() + 1);
    s.phase = 0;
    ++s.stamp;
    s.syncs = {};
    s.warpsWithTags = 0;
    if (s.isParallel) return;
    s.clock.clear();
    s.fences = {};
    s.flagsRead.clear();
}

State::Leaves State::announce(Call& call) {
    const AccessKind kind = call.access.kind;
    const bool isStore = kind == AccessKind::Store;
    constexpr u16 kAllWays = kStored | kTaken | kReduced;
    const u16 way = isStore                         ? kStored
                    : kind == AccessKind::Atomic    ? kTaken
                    : kind == AccessKind::Reduction ? kReduced
                                                    : 0;
    const u16 wanted = u16((way ? kWritten : kRead) | way);
    u16 flags = call.flags.load(std::memory_order_relaxed);
    if ((flags & wanted) != wanted) flags |= call.flags.fetch_or(wanted, std::memory_order_relaxed) | wanted;
    const bool isTracked = flags & kTracksReads, isOwned = flags & kOwned;
    if (!isTracked && std::popcount(u32{flags} & kAllWays) > 1 && !(flags & kMixed))
        flags |= call.flags.fetch_or(kMixed, std::memory_order_relaxed) | kMixed;
    if (!isTracked && ((flags & kMixed) || (!isOwned && (flags & kRead) && (flags & kWritten))))
        shadow.doomed_.store(true, std::memory_order_relaxed);
    if (call.access.widthBytes >> call.buffer.shift == 0) {
        const u32 needed = u32(std::countr_zero(call.access.widthBytes));
        u32 known = call.buffer.neededShift;
        while (needed < known && !call.buffer.neededShift.compare_exchange_weak(known, needed)) {}
        call.flags.fetch_or(kTooCoarse, std::memory_order_relaxed);
        shadow.doomed_.store(true, std::memory_order_relaxed);
        return Leaves::Nothing;
    }
    if (isTracked) return Leaves::Tags;
    if (isOwned) {
        if (!trace::isAtomic(kind)) return Leaves::Owners;
        share(call);
        return Leaves::Nothing;
    }
    if (isStore) return flags & kKeepsTags ? Leaves::Tags : Leaves::Bits;
    // Blocks that run at once must not take old values of each other's.
    return kind == AccessKind::Atomic && isParallel ? Leaves::Tags : Leaves::Nothing;
}

void GlobalBlockShadow::access(Warp warp, u32 buffer, const WarpAccess& access, Strength strength,
                               const std::byte* values, const std::byte* memory) {
    State& s = *state_;
    State::Call call{
        access, *s.shadow.buffers_[buffer], flags_[buffer], s.claims->tags[buffer], warp.value, values,
        memory};
    const bool isStrong = isAtomic(access.kind) || strength.ordering != Ordering::Weak;
    switch (s.announce(call)) {
        case State::Leaves::Nothing:
            if (access.widthBytes >> call.buffer.shift == 0) return;  // this run is over
            break;
        case State::Leaves::Bits: s.storeOnce(call, buffer); break;
        case State::Leaves::Owners: s.own(call); break;
        case State::Leaves::Tags:
            if (!s.enterEpoch(call, isStrong)) return;
            if (access.kind == AccessKind::Store)
                s.store(call);
            else if (isAtomic(access.kind))
                s.atomic(call);
            else
                s.load(call);
            if (call.raced.lanes) s.tell(call, FindingKind::Race, call.raced);
            if (call.reliedOnLockStep.lanes)
                s.tell(call, FindingKind::WarpSynchronous, call.reliedOnLockStep);
    }
    if (isStrong && !s.isParallel && strength.scope == Scope::Device) s.synchronize(call, strength);
}

bool GlobalBlockShadow::accessRun(Warp warp, u32 buffer, const WarpAccess& access) {
    State& s = *state_;
    if (s.ownsRun(warp.value, buffer, access, flags_[buffer].load(std::memory_order_relaxed))) return true;
    State::Call call{
        access, *s.shadow.buffers_[buffer], flags_[buffer], s.claims->tags[buffer], warp.value, nullptr,
        nullptr};
    call.isRun = true;
    switch (s.announce(call)) {
        case State::Leaves::Nothing: return true;
        case State::Leaves::Bits: s.storeOnce(call, buffer); return true;
        case State::Leaves::Owners: return s.own(call);
        case State::Leaves::Tags: break;
    }
    if (!s.enterEpoch(call, false)) return true;
    return access.kind == AccessKind::Store ? s.storeLines(call) : s.loadLines(call);
}

void State::storeOnce(Call& call, u32 number) {
    const Buffer& buffer = call.buffer;
    const u32 width = call.access.widthBytes, perLane = width >> buffer.shift;
    u64* const words = claims->once.of(number, buffer.spec.sizeBytes >> buffer.shift);
    bool isNew = true;
    if (call.isRun) {
        const u64 offset = call.access.addresses[0] - buffer.spec.base;
        isNew = OnceMap::add(words, offset >> buffer.shift, u64{perLane} * kWarpSize);
    } else {
        const u64 ones = (u64{1} << perLane) - 1;  // of a word: widths are powers of two
        u64 seen = 0;
        forEachAccess(call, [&](u32, u64 first) {
            u64& word = words[first / 64];
            const u64 bits = ones << first % 64;
            seen |= word & bits;
            word |= bits;
        });
        isNew = seen == 0;
    }
    if (!isNew) noteRewritten(call.flags);
}

void State::noteRewritten(std::atomic<u16>& flags) {
    flags.fetch_or(kRewritten, std::memory_order_relaxed);
    shadow.doomed_.store(true, std::memory_order_relaxed);
}

bool GlobalBlockShadow::storeAll(u32 number, const Footprint& footprint, u64 displacedBytes) {
    State& s = *state_;
    const GlobalShadow::Buffer& buffer = *s.shadow.buffers_[number];
    std::atomic<u16>& flags = flags_[number];
    const u16 known = flags.load(std::memory_order_relaxed);
    const bool leavesBits = !(known & (kTracksReads | kOwned | kKeepsTags | kTooCoarse));
    if (!leavesBits || footprint.empty() || footprint.shift() != buffer.shift) return false;
    constexpr u16 kWanted = kWritten | kStored;
    if ((known & kWanted) != kWanted) return false;  // access() says what follows
    u64* const words = s.claims->once.of(number, buffer.spec.sizeBytes >> buffer.shift);
    if (!footprint.addTo(words, displacedBytes)) s.noteRewritten(flags);
    return true;
}

u32 GlobalBlockShadow::granuleShift(u32 buffer) const { return state_->shadow.buffers_[buffer]->shift; }
u64 GlobalBlockShadow::baseOf(u32 buffer) const { return state_->shadow.buffers_[buffer]->spec.base; }

// False: out of epochs.
bool State::enterEpoch(Call& call, bool isStrong) {
    const WarpAccess& access = call.access;
    const u32 seen = shadow.epochs_->isScarce() ? 0 : syncs[call.warp] & 0xfffffff;
    call.epoch = {block, phase, access.pc.value, seen, isStrong, u32(access.kind)};
    if (access.pc.value >= epochs.size()) epochs.resize(std::size_t{access.pc.value} + 1);
    CachedEpoch& cached = epochs[access.pc.value];
    if (cached.stamp != stamp || cached.syncs != seen)
        cached = {stamp, seen, shadow.epochs_->add(chunk, call.epoch)};
    call.number = cached.number;
    warpsWithTags |= 1u << call.warp;
    return call.number != 0;
}

void State::load(Call& call) {
    if (loadLines(call) || loadRows(call)) return;
    forEachTag(call, Claims::OfReaders, [&](u32 lane, u64 granule, Page& page, u32 at) -> u32 {
        const u32 mine = call.tagOf(lane);
        Worst worst;
        if (const u32 tag = page.stores[at].load(std::memory_order_acquire))
            worst.consider(examine(call, threadOf(mine), tag, granule), tag);
        Tag &first = page.readers[at], &second = page.readers[Page::kGranules + at];
        u32 claimed = 0;
        const u32 reader = first.load(std::memory_order_acquire);
        if (!reader) {
            first.store(mine, std::memory_order_release);
            claimed = 1;
        } else if (trace::epochOf(reader) != call.number || warpOf(reader) != call.warp) {
            for (const Tag* slot : {&first, &second}) {  // there may be atomics
                const u32 tag = slot->load(std::memory_order_acquire);
                worst.consider(examine(call, threadOf(mine), tag, granule), tag);
            }
            claimed = addReader(call, mine, first, second);
        }
        report(call, lane, worst);
        return claimed;
    });
}

void State::store(Call& call) {
    if (storeLines(call) || storeRows(call)) return;
    const u32 granuleBytes = 1u << call.buffer.shift;
    const auto valueAt = [&](u32 lane, u64 granule) {
        const u64 offset = call.access.addresses[lane] - call.buffer.spec.base;
        return call.values + u64{lane} * call.access.widthBytes + ((granule << call.buffer.shift) - offset);
    };
    forEachTag(call, Claims::OfStores, [&](u32 lane, u64 granule, Page& page, u32 at) -> u32 {
        const u32 mine = call.tagOf(lane);
        Tag& slot = page.stores[at];
        const u32 tag = slot.load(std::memory_order_acquire);
        Worst worst;
        if (isOfThisCall(call, lane, granule, tag)) [[unlikely]] {
            const u32 first = threadOf(tag) % kWarpSize;
            const bool isSame =
                call.epoch.isStrong ||
                (call.values &&
                 std::memcmp(valueAt(first, granule), valueAt(lane, granule), granuleBytes) == 0 &&
                 !isPoisoned(call, valueAt(lane, granule)));
            if (!isSame) worst.consider(Verdict::Race, tag);
        } else if (tag && tag != mine) {
            if (!page.readers) noteMixing(call, lookUp(call, tag));
            const Verdict verdict = examine(call, threadOf(mine), tag, granule);
            const bool changesNothing = verdict != Verdict::Nothing && call.values && call.memory &&
                                        std::memcmp(call.memory + granule * granuleBytes,
                                                    valueAt(lane, granule), granuleBytes) == 0 &&
                                        !isPoisoned(call, valueAt(lane, granule));
            if (!changesNothing) worst.consider(verdict, tag);
        }
        if (page.readers)
            for (u32 i : {at, Page::kGranules + at})
                if (const u32 reader = page.readers[i].load(std::memory_order_acquire))
                    worst.consider(examine(call, threadOf(mine), reader, granule), reader);
        slot.store(mine, std::memory_order_release);
        report(call, lane, worst);
        return tag == 0;
    });
}

void State::atomic(Call& call) {
    const bool isTracked = call.buffer.spec.keeps == GlobalShadow::Keeps::All;
    forEachTag(call, isTracked ? Claims::OfReaders : Claims::OfStores,
               [&](u32 lane, u64, Page& page, u32 at) -> u32 {
                   const u32 mine = call.tagOf(lane);
                   Tag& slot = page.stores[at];
                   const u32 tag = slot.load(std::memory_order_acquire);
                   u32 claimed = tag == 0;
                   Worst worst;
                   worst.consider(examine(call, threadOf(mine), tag), tag);
                   if (isTracked) {
                       for (u32 i : {at, Page::kGranules + at}) {
                           const u32 reader = page.readers[i].load(std::memory_order_acquire);
                           worst.consider(examine(call, threadOf(mine), reader), reader);
                       }
                       claimed = addReader(call, mine, page.readers[at], page.readers[Page::kGranules + at]);
                   } else {
                       slot.store(mine, std::memory_order_release);
                   }
                   report(call, lane, worst);
                   return claimed;
               });
}

// Reductions of several blocks may hit one granule; they claim an empty tag atomically, so that none is lost.
u32 State::claim(Call& call, u32 mine, Tag& tag, u32& found) {
    if (call.epoch.isReduction()) return tag.compare_exchange_strong(found, mine, std::memory_order_acq_rel);
    tag.store(mine, std::memory_order_release);
    return 1;
}

// One tag cannot hold plain stores and atomics by several threads: such a buffer needs reader tracking.
void State::noteMixing(Call& call, const GlobalEpoch& other) {
    if (other.isStrong == call.epoch.isStrong) return;
    call.flags.fetch_or(kMixed, std::memory_order_relaxed);
    shadow.doomed_.store(true, std::memory_order_relaxed);
}

const GlobalEpoch& State::lookUp(Call& call, u32 tag) const {
    if (const u32 number = trace::epochOf(tag); number != call.otherNumber) {
        call.otherNumber = number;
        call.other = (*shadow.epochs_)[number];
    }
    return call.other;
}

State::Verdict State::examine(Call& call, u32 thread, u32 tag, std::optional<u64> granule) {
    if (!tag) return Verdict::Nothing;
    const GlobalEpoch &now = call.epoch, &old = lookUp(call, tag);
    if (!now.writes() && !old.writes()) return Verdict::Nothing;
    if (old.block != block) {
        const bool dependsOnOrder = !(now.isReduction() && old.isReduction());
        if (isParallel) {
            if (dependsOnOrder) shadow.conflict_ = shadow.doomed_ = true;
            return Verdict::Nothing;
        }
        if (dependsOnOrder && old.writes()) {
            if (shadow.depends_.size() <= block) shadow.depends_.resize(std::size_t{block} + 1);
            shadow.depends_[block] = true;
        }
        if (now.isStrong && old.isStrong) return Verdict::Nothing;
        if (granule && old.isStrong && old.writes() &&
            shadow.releases_->hasObserved(call.buffer.spec.base + (*granule << call.buffer.shift),
                                          {block, thread, phase}))
            return Verdict::Nothing;
        return shadow.releases_->covers(clock, old, tag) ? Verdict::Nothing : Verdict::Race;
    }
    if (old.phase < phase || (now.isStrong && old.isStrong) || threadOf(tag) == thread)
        return Verdict::Nothing;
    if (warpOf(tag) != call.warp) return Verdict::Race;
    const bool isStoreThenLoad = !now.writes() && AccessKind(old.kind) == AccessKind::Store;
    return isStoreThenLoad && old.syncs >= syncs[call.warp] ? Verdict::LockStep : Verdict::Nothing;
}

// Equal to another only because this block computed with poison?
bool State::isPoisoned(const Call& call, const std::byte* value) const {
    return looksPoisoned(value, 1u << call.buffer.shift) && findings.hasReadPoison(at);
}

// Did a lower lane of the same store leave this tag?
bool State::isOfThisCall(const Call& call, u32 lane, u64 granule, u32 tag) const {
    if (trace::epochOf(tag) != call.number || warpOf(tag) != call.warp) return false;
    const u32 other = threadOf(tag) % kWarpSize;
    if (other >= lane || !call.access.active.has(Lane{other})) return false;
    const u64 from = call.access.addresses[other] - call.buffer.spec.base, at = granule << call.buffer.shift;
    return at >= from && at < from + call.access.widthBytes;
}

// Whatever later conflicts with `old` conflicts with this warp's present access, too.
bool State::isOver(const GlobalEpoch& now, const GlobalEpoch& old, u32 tag, u32 warp) const {
    if (!covers(now, old)) return false;
    if (old.block == block) return old.phase < phase || warpOf(tag) == warp;
    return !isParallel && shadow.releases_->covers(clock, old, tag);
}

u32 State::addReader(Call& call, u32 mine, Tag& first, Tag& second) {
    u32 one = first.load(std::memory_order_acquire);
    if (!one && claim(call, mine, first, one)) return 1;
    switch (placeOf(call, mine, one, second.load(std::memory_order_acquire))) {
        case Place::None: break;
        case Place::First: first.store(mine, std::memory_order_release); break;
        case Place::Second: second.store(mine, std::memory_order_release); break;
    }
    return 0;
}

State::Place State::placeOf(const Call& call, u32 mine, u32 one, u32 two) const {
    const auto isMine = [&](u32 tag) {
        return trace::epochOf(tag) == call.number && warpOf(tag) == call.warp;
    };
    if (isMine(one) || isMine(two)) return Place::None;

    const GlobalEpoch now = call.epoch, a = (*shadow.epochs_)[trace::epochOf(one)];
    if (isOver(now, a, one, call.warp)) return Place::First;
    if (!two) return Place::Second;
    const GlobalEpoch b = (*shadow.epochs_)[trace::epochOf(two)];
    if (isOver(now, b, two, call.warp)) return Place::Second;
    // Both are still needed. Two are enough if they differ in the block, else in the warp, else in what they
    // conflict with.
    if (a.block != b.block) return Place::None;
    if (now.block == a.block) {
        if (warpOf(one) != warpOf(two)) return Place::None;
        if (warpOf(mine) == warpOf(one) && (a.writes() != b.writes() || now.writes() == a.writes()))
            return Place::None;
    }
    return isParallel || !b.writes() ? Place::Second : Place::First;
}

void State::tell(Call& call, FindingKind kind, const Call::Reported& reported) {
    const u32 firstThread = call.warp * kWarpSize;
    const FindingCollector::Spot first{kind, shadow.launch_, call.access.pc, at, firstThread};
    findings.add(first, LaneMask{reported.lanes}, [&](u32 lane) {
        const u32 tag = reported.tags[lane];
        const GlobalEpoch& other = lookUp(call, tag);
        Finding finding;
        finding.kind = kind;
        finding.launch = shadow.launch_;
        finding.who = {call.access.pc, at, coordinatesOf(firstThread + lane, shadow.extents_),
                       call.access.kind};
        finding.other = {Pc{other.pc}, coordinatesOf(other.block, shadow.grid_),
                         coordinatesOf(threadOf(tag), shadow.extents_), AccessKind(other.kind)};
        finding.space = Space::Global;
        finding.address = call.access.addresses[lane];
        finding.widthBytes = call.access.widthBytes;
        finding.buffer = call.buffer.spec.index;
        finding.offsetBytes = s64(finding.address - call.buffer.spec.base);
        finding.sizeBytes = call.buffer.spec.sizeBytes;
        return finding;
    });
}

}  // namespace lockstep::trace
