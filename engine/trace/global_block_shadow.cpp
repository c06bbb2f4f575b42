// What a block does to global memory: each access is compared with the tags it finds, and leaves its own.
#include "base/check.h"
#include "trace/global_epochs.h"
#include "trace/global_pages.h"
#include "trace/global_releases.h"
#include "trace/global_shadow.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace lockstep::trace {

namespace {

enum class Verdict : u8 { Nothing, LockStep, Race };

// Whatever collides with `old` collides with `now` too: a strong load collides with plain stores only.
bool covers(const GlobalEpoch& now, const GlobalEpoch& old) {
    return (now.isStrong == old.isStrong && now.writes() == old.writes()) || (old.isStrong && !old.writes());
}

}  // namespace

struct GlobalBlockShadow::State {
    using Page = GlobalShadow::Page;
    using Buffer = GlobalShadow::Buffer;
    using Tag = Page::Tag;

    struct CachedEpoch {
        u64 stamp = 0;
        u32 syncs = 0, number = 0;
    };
    struct Fence {
        bool was = false;
        u32 phase = 0;
        u64 before = 0;  // what its warp did before this time is behind it
    };
    // One access under way.
    struct Call {
        const WarpAccess& access;
        Buffer& buffer;
        std::atomic<u8>& flags;
        u32 warp;
        const std::byte *values, *memory;
        u32 number = 0;  // its epoch
        GlobalEpoch epoch{};
        u32 otherNumber = 0;  // the epoch that was looked up last
        GlobalEpoch other{};
        u32 raced = 0, reliedOnLockStep = 0;  // lanes: a vector's other words say nothing new

        u32 tagOf(u32 lane) const { return trace::tagOf(number, warp * kWarpSize + lane); }
    };
    // The gravest conflict of one lane at one granule.
    struct Worst {
        Verdict verdict = Verdict::Nothing;
        u32 tag = 0;
        void consider(Verdict candidate, u32 with) {
            if (candidate > verdict) verdict = candidate, tag = with;
        }
    };

    GlobalShadow& shadow;
    FindingCollector& findings;
    u32 generation = 0;  // of the shadow
    bool isParallel = true;
    GlobalEpochs::Chunk chunk;
    std::vector<CachedEpoch> epochs;  // by pc
    u64 stamp = 0;                    // of block and phase

    u32 block = 0, phase = 0;
    std::array<u32, kWarpSize> syncs{};  // by warp; counted only where it left tags in between
    u32 warpsWithTags = 0;               // since they synchronised last

    // In sequential mode only.
    GlobalClock clock;
    std::array<Fence, kWarpSize> fences{};  // by warp
    std::vector<u64> flagsRead;             // addresses, until a fence or barrier

    State(GlobalShadow& s, FindingCollector& f) : shadow(s), findings(f), epochs(s.pcs_) {}

    u64 timeOf(u32 warp) const { return u64{phase} << 32 | syncs[warp]; }
    void sync(u32 warp) {
        if (!(warpsWithTags >> warp & 1)) return;
        warpsWithTags &= ~(1u << warp);
        ++syncs[warp];
    }
    void nextPhase() {
        ++phase;
        ++stamp;
        warpsWithTags = 0;
    }

    bool enterEpoch(Call& call, bool isStrong);
    void load(Call& call);
    void store(Call& call);
    void atomic(Call& call);

    struct Row {
        Page* page = nullptr;  // null: the access is none
        u32 at = 0;
    };
    enum class Found : u8 { Nobody, Harmless, Others };
    static Row rowOf(const Call& call);
    Found lookAtRow(Call& call, const Tag* tags) const;
    static void leaveRow(const Call& call, Tag* tags);
    bool loadRow(Call& call);
    bool storeRow(Call& call);

    Verdict examine(Call& call, u32 thread, u32 tag);
    const GlobalEpoch& lookUp(Call& call, u32 tag) const;
    bool isOfThisCall(const Call& call, u32 lane, u64 granule, u32 tag) const;
    bool isOver(const GlobalEpoch& now, const GlobalEpoch& old, u32 tag, u32 warp) const;
    u32 addReader(Call& call, u32 mine, Tag& first, Tag& second);
    static u32 claim(Call& call, u32 mine, Tag& tag, u32& found);
    void noteMixing(Call& call, const GlobalEpoch& other);
    void report(Call& call, u32 lane, const Worst& worst);

    void synchronize(Call& call, Strength strength);
    void acquire(const GlobalClock& released, u32 warp);
    void acquireFlagsRead(u32 warp);

    template <class Visit> static void forEachGranule(const Call& call, Visit visit) {
        const Buffer& buffer = call.buffer;
        const u32 width = call.access.widthBytes, perLane = width >> buffer.shift;
        if (width > buffer.spec.sizeBytes) return;
        const u64 last = buffer.spec.sizeBytes - width;
        for (Lane lane : call.access.active) {
            const u64 offset = call.access.addresses[lane.value] - buffer.spec.base;
            if (offset > last || offset & (width - 1)) [[unlikely]]
                continue;
            for (u32 i = 0; i < perLane; ++i)
                visit(lane.value, (offset >> buffer.shift) + i);
        }
    }
    // visit(lane, granule, page, index in the page) gives the number of tags that it claimed, which are added
    // to the page's.
    template <class Visit>
    static void forEachTag(const Call& call, std::atomic<u32> Page::*claims, Visit visit) {
        Page* page = nullptr;
        u64 pageIndex = ~u64{0};
        u32 claimed = 0;
        const auto addClaims = [&] {
            if (claimed) (page->*claims).fetch_add(claimed, std::memory_order_relaxed);
            claimed = 0;
        };
        forEachGranule(call, [&](u32 lane, u64 granule) {
            if (granule / Page::kGranules != pageIndex) {
                addClaims();
                pageIndex = granule / Page::kGranules;
                page = &call.buffer.page(pageIndex);
            }
            claimed += visit(lane, granule, *page, u32(granule % Page::kGranules));
        });
        addClaims();
    }
};

using State = GlobalBlockShadow::State;

GlobalBlockShadow::GlobalBlockShadow(GlobalShadow& shadow, FindingCollector& findings)
    : state_(std::make_unique<State>(shadow, findings)), flags_(shadow.flags_.get()) {}
GlobalBlockShadow::~GlobalBlockShadow() = default;
GlobalBlockShadow::GlobalBlockShadow(GlobalBlockShadow&&) noexcept = default;

void GlobalBlockShadow::beginBlock(Block linear) {
    State& s = *state_;
    if (s.generation != s.shadow.generation_) s.chunk = {};
    s.generation = s.shadow.generation_;
    s.isParallel = s.shadow.mode_ == GlobalShadow::Mode::Parallel;
    s.block = linear.value;
    s.phase = 0;
    ++s.stamp;
    s.syncs = {};
    s.warpsWithTags = 0;
    if (s.isParallel) return;
    s.clock.clear();
    s.fences = {};
    s.flagsRead.clear();
}

void GlobalBlockShadow::blockBarrier() {
    state_->nextPhase();
    state_->acquireFlagsRead(0);
}

void GlobalBlockShadow::warpSync(Warp warp, LaneMask) { state_->sync(warp.value); }

void GlobalBlockShadow::fence(Warp warp, Scope scope) {
    State& s = *state_;
    if (scope != Scope::Device || s.isParallel) return;
    s.acquireFlagsRead(warp.value);
    s.sync(warp.value);
    s.fences[warp.value] = {true, s.phase, s.timeOf(warp.value)};
}

void GlobalBlockShadow::access(Warp warp, u32 buffer, const WarpAccess& access, Strength strength,
                               const std::byte* values, const std::byte* memory) {
    State& s = *state_;
    State::Call call{access, *s.shadow.buffers_[buffer], flags_[buffer], warp.value, values, memory};
    const bool isAtomic = access.kind == AccessKind::Atomic || access.kind == AccessKind::Reduction;
    const bool isStore = access.kind == AccessKind::Store;

    u8 flags = call.flags.load(std::memory_order_relaxed);
    const u8 mine = isStore || isAtomic ? kWritten : kRead;
    if (!(flags & mine)) flags |= call.flags.fetch_or(mine, std::memory_order_relaxed) | mine;
    const bool isTracked = flags & kTracksReads;
    if (!isTracked && (flags & kRead) && (flags & kWritten))
        s.shadow.doomed_.store(true, std::memory_order_relaxed);
    if (access.widthBytes >> call.buffer.shift == 0) {
        const u32 needed = u32(std::countr_zero(access.widthBytes));
        u32 known = call.buffer.neededShift;
        while (needed < known && !call.buffer.neededShift.compare_exchange_weak(known, needed)) {}
        call.flags.fetch_or(kTooCoarse, std::memory_order_relaxed);
        s.shadow.doomed_.store(true, std::memory_order_relaxed);
        return;
    }

    const bool isStrong = isAtomic || strength.ordering != Ordering::Weak;
    if (isStore || isAtomic || isTracked) {  // a load of an untracked buffer leaves no tag
        if (!s.enterEpoch(call, isStrong)) return;
        if (isStore)
            s.store(call);
        else if (isAtomic)
            s.atomic(call);
        else
            s.load(call);
    }
    if (isStrong && !s.isParallel && strength.scope == Scope::Device) s.synchronize(call, strength);
}

// False: epochs have run out.
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

// Neighbouring lanes at neighbouring granules of one page.
State::Row State::rowOf(const Call& call) {
    const WarpAccess& access = call.access;
    Buffer& buffer = call.buffer;
    const u32 width = access.widthBytes;
    if (access.active != LaneMask::all() || width != 1u << buffer.shift) return {};
    const u64 first = access.addresses[0], offset = first - buffer.spec.base;
    u64 difference = offset & (width - 1);
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        difference |= access.addresses[lane] - (first + (u64{lane} << buffer.shift));
    const u64 granule = offset >> buffer.shift, at = granule % Page::kGranules;
    if (difference || offset > buffer.spec.sizeBytes || offset + kWarpSize * width > buffer.spec.sizeBytes)
        return {};
    if (at + kWarpSize > Page::kGranules) return {};
    return {&buffer.page(granule / Page::kGranules), u32(at)};
}

// Harmless: left by one instruction of this block, in an earlier phase or each by the lane that is there now.
State::Found State::lookAtRow(Call& call, const Tag* tags) const {
    const u32 first = tags[0].load(std::memory_order_acquire);
    u32 any = 0, inEpoch = 0, inThread = 0;
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
        const u32 tag = tags[lane].load(std::memory_order_acquire);
        any |= tag;
        inEpoch |= (tag ^ first) >> kThreadBits;
        inThread |= tag ^ (first + lane);
    }
    if (!any) return Found::Nobody;
    if (!first || inEpoch) return Found::Others;
    const GlobalEpoch& old = lookUp(call, first);
    if (old.block != block || old.isStrong != call.epoch.isStrong) return Found::Others;
    const bool isOwn = !inThread && threadOf(first) == call.warp * kWarpSize;
    return old.phase < phase || isOwn ? Found::Harmless : Found::Others;
}

void State::leaveRow(const Call& call, Tag* tags) {
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        tags[lane].store(call.tagOf(0) + lane, std::memory_order_release);
}

bool State::loadRow(Call& call) {
    const Row row = rowOf(call);
    if (!row.page) return false;
    Tag* readers = &row.page->readers[row.at];
    if (lookAtRow(call, &row.page->stores[row.at]) == Found::Others ||
        lookAtRow(call, readers + Page::kGranules) != Found::Nobody)
        return false;
    const Found found = lookAtRow(call, readers);
    if (found == Found::Others || (found == Found::Harmless && lookUp(call, readers[0]).writes()))
        return false;
    leaveRow(call, readers);
    if (found == Found::Nobody) row.page->readClaims.fetch_add(kWarpSize, std::memory_order_relaxed);
    return true;
}

bool State::storeRow(Call& call) {
    const Row row = rowOf(call);
    if (!row.page) return false;
    if (const Tag* readers = row.page->readers.get() ? &row.page->readers[row.at] : nullptr)
        if (lookAtRow(call, readers) == Found::Others ||
            lookAtRow(call, readers + Page::kGranules) != Found::Nobody)
            return false;
    const Found found = lookAtRow(call, &row.page->stores[row.at]);
    if (found == Found::Others) return false;
    leaveRow(call, &row.page->stores[row.at]);
    if (found == Found::Nobody) row.page->storeClaims.fetch_add(kWarpSize, std::memory_order_relaxed);
    return true;
}

void State::load(Call& call) {
    if (loadRow(call)) return;
    forEachTag(call, &Page::readClaims, [&](u32 lane, u64, Page& page, u32 at) -> u32 {
        const u32 mine = call.tagOf(lane);
        Worst worst;
        if (const u32 tag = page.stores[at].load(std::memory_order_acquire))
            worst.consider(examine(call, threadOf(mine), tag), tag);
        Tag &first = page.readers[at], &second = page.readers[Page::kGranules + at];
        u32 claimed = 0;
        const u32 reader = first.load(std::memory_order_acquire);
        if (!reader) {
            first.store(mine, std::memory_order_release);
            claimed = 1;
        } else if (trace::epochOf(reader) != call.number || warpOf(reader) != call.warp) {
            for (const Tag* slot : {&first, &second}) {  // there may be atomics
                const u32 tag = slot->load(std::memory_order_acquire);
                worst.consider(examine(call, threadOf(mine), tag), tag);
            }
            claimed = addReader(call, mine, first, second);
        }
        report(call, lane, worst);
        return claimed;
    });
}

void State::store(Call& call) {
    if (storeRow(call)) return;
    const u32 granuleBytes = 1u << call.buffer.shift;
    const auto valueAt = [&](u32 lane, u64 granule) {
        const u64 offset = call.access.addresses[lane] - call.buffer.spec.base;
        return call.values + u64{lane} * call.access.widthBytes + ((granule << call.buffer.shift) - offset);
    };
    forEachTag(call, &Page::storeClaims, [&](u32 lane, u64 granule, Page& page, u32 at) -> u32 {
        const u32 mine = call.tagOf(lane);
        Tag& slot = page.stores[at];
        const u32 tag = slot.load(std::memory_order_acquire);
        Worst worst;
        if (isOfThisCall(call, lane, granule, tag)) [[unlikely]] {
            const u32 first = threadOf(tag) % kWarpSize;
            const bool isSame = call.epoch.isStrong ||
                                (call.values && std::memcmp(valueAt(first, granule), valueAt(lane, granule),
                                                            granuleBytes) == 0);
            if (!isSame) worst.consider(Verdict::Race, tag);
        } else if (tag && tag != mine) {
            if (!page.readers) noteMixing(call, lookUp(call, tag));
            const Verdict verdict = examine(call, threadOf(mine), tag);
            const bool changesNothing =
                verdict != Verdict::Nothing && call.values && call.memory &&
                std::memcmp(call.memory + granule * granuleBytes, valueAt(lane, granule), granuleBytes) == 0;
            if (!changesNothing) worst.consider(verdict, tag);
        }
        if (page.readers)
            for (u32 i : {at, Page::kGranules + at})
                if (const u32 reader = page.readers[i].load(std::memory_order_acquire))
                    worst.consider(examine(call, threadOf(mine), reader), reader);
        slot.store(mine, std::memory_order_release);
        report(call, lane, worst);
        return tag == 0;
    });
}

void State::atomic(Call& call) {
    const bool isTracked = call.buffer.spec.tracksReads;
    forEachTag(call, isTracked ? &Page::readClaims : &Page::storeClaims,
               [&](u32 lane, u64, Page& page, u32 at) -> u32 {
                   const u32 mine = call.tagOf(lane);
                   Tag& slot = page.stores[at];
                   u32 tag = slot.load(std::memory_order_acquire), claimed = 0;
                   Worst worst;
                   if (!isTracked) {
                       if (!tag) claimed = claim(call, mine, slot, tag);
                       if (tag) noteMixing(call, lookUp(call, tag));
                   }
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

// Reductions of several blocks may meet at a place; so that no tag is lost there, they take an empty one in
// one go.
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

Verdict State::examine(Call& call, u32 thread, u32 tag) {
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
        return shadow.releases_->covers(clock, old, tag) ? Verdict::Nothing : Verdict::Race;
    }
    if (old.phase < phase || (now.isStrong && old.isStrong) || threadOf(tag) == thread)
        return Verdict::Nothing;
    if (warpOf(tag) != call.warp) return Verdict::Race;
    const bool isStoreThenLoad = !now.writes() && AccessKind(old.kind) == AccessKind::Store;
    return isStoreThenLoad && old.syncs >= syncs[call.warp] ? Verdict::LockStep : Verdict::Nothing;
}

// Did a lower lane of the same store leave this tag?
bool State::isOfThisCall(const Call& call, u32 lane, u64 granule, u32 tag) const {
    if (trace::epochOf(tag) != call.number || warpOf(tag) != call.warp) return false;
    const u32 other = threadOf(tag) % kWarpSize;
    if (other >= lane || !call.access.active.has(Lane{other})) return false;
    const u64 from = call.access.addresses[other] - call.buffer.spec.base, at = granule << call.buffer.shift;
    return at >= from && at < from + call.access.widthBytes;
}

// Whoever collides with `old` later on collides with the present access of this warp, too.
bool State::isOver(const GlobalEpoch& now, const GlobalEpoch& old, u32 tag, u32 warp) const {
    if (!covers(now, old)) return false;
    if (old.block == block) return old.phase < phase || warpOf(tag) == warp;
    return !isParallel && shadow.releases_->covers(clock, old, tag);
}

u32 State::addReader(Call& call, u32 mine, Tag& first, Tag& second) {
    u32 one = first.load(std::memory_order_acquire);
    if (!one && claim(call, mine, first, one)) return 1;
    const u32 two = second.load(std::memory_order_acquire);
    const auto isMine = [&](u32 tag) {
        return trace::epochOf(tag) == call.number && warpOf(tag) == call.warp;
    };
    if (isMine(one) || isMine(two)) return 0;

    const GlobalEpoch now = call.epoch, a = (*shadow.epochs_)[trace::epochOf(one)];
    if (isOver(now, a, one, call.warp)) {
        first.store(mine, std::memory_order_release);
        return 0;
    }
    if (!two) {
        second.store(mine, std::memory_order_release);
        return 0;
    }
    const GlobalEpoch b = (*shadow.epochs_)[trace::epochOf(two)];
    bool replacesSecond = isOver(now, b, two, call.warp);
    if (!replacesSecond) {
        // Both are needed still. Two are enough if they differ in the block, else in the warp, else in what
        // they collide with.
        if (a.block != b.block) return 0;
        if (now.block == a.block) {
            if (warpOf(one) != warpOf(two)) return 0;
            if (warpOf(mine) == warpOf(one) && (a.writes() != b.writes() || now.writes() == a.writes()))
                return 0;
        }
        replacesSecond = isParallel || !b.writes();
    }
    (replacesSecond ? second : first).store(mine, std::memory_order_release);
    return 0;
}

// What a strong access learns from the word and says by it.
void State::synchronize(Call& call, Strength strength) {
    GlobalReleases& releases = *shadow.releases_;
    const AccessKind kind = call.access.kind;
    const auto addressOf = [&](u64 granule) {
        return call.buffer.spec.base + (granule << call.buffer.shift);
    };
    if (reads(kind) && releases.any()) {
        forEachGranule(call, [&](u32, u64 granule) {
            const GlobalClock* flag = releases.at(addressOf(granule));
            if (!flag) return;
            if (acquires(strength.ordering))
                acquire(*flag, call.warp);
            else if (std::ranges::find(flagsRead, addressOf(granule)) == flagsRead.end())
                flagsRead.push_back(addressOf(granule));
        });
    }
    const Fence& fence = fences[call.warp];
    const bool isRelease = trace::releases(strength.ordering);
    if (!writes(kind) || !(isRelease || fence.was)) return;
    if (isRelease) sync(call.warp);
    // A fence before the last barrier stands for those of all threads.
    const u64 wholeBlockBefore = u64{isRelease ? phase : std::min(fence.phase + 1, phase)} << 32;
    const u64 warpBefore = isRelease ? timeOf(call.warp) : fence.before;
    GlobalClock released = clock;
    for (auto [warp, before] :
         {std::pair{GlobalClock::kWholeBlock, wholeBlockBefore}, std::pair{call.warp, warpBefore}}) {
        released.learn(GlobalClock::keyOf(block, warp), before);
        releases.note(GlobalClock::keyOf(block, warp), before);
    }
    forEachGranule(call, [&](u32, u64 granule) {
        releases.publish(addressOf(granule), released, kind == AccessKind::Store);
    });
}

void State::acquire(const GlobalClock& released, u32 warp) {
    clock.join(released);
    // What other warps of this block have released: as if there had been a barrier.
    bool fromOtherWarp = false;
    for (u32 w = 0; w < kWarpSize; ++w) {
        if (shadow.releases_->knownOf(released, GlobalClock::keyOf(block, w)) <= u64{phase} << 32) continue;
        if (w == warp)
            sync(w);
        else
            fromOtherWarp = true;
    }
    if (fromOtherWarp) nextPhase();
}

void State::acquireFlagsRead(u32 warp) {
    for (u64 address : flagsRead)
        if (const GlobalClock* flag = shadow.releases_->at(address)) acquire(*flag, warp);
    flagsRead.clear();
}

void State::report(Call& call, u32 lane, const Worst& worst) {
    if (worst.verdict == Verdict::Nothing) return;
    u32& reported = worst.verdict == Verdict::Race ? call.raced : call.reliedOnLockStep;
    if (reported >> lane & 1) return;
    reported |= 1u << lane;
    const GlobalEpoch& other = lookUp(call, worst.tag);
    const auto culprit = [&](u32 ofBlock, u32 thread, u32 pc, AccessKind kind) {
        return Culprit{Pc{pc}, coordinatesOf(ofBlock, shadow.grid_), coordinatesOf(thread, shadow.extents_),
                       kind};
    };
    Finding finding;
    finding.kind = worst.verdict == Verdict::Race ? FindingKind::Race : FindingKind::WarpSynchronous;
    finding.launch = shadow.launch_;
    finding.who = culprit(block, call.warp * kWarpSize + lane, call.access.pc.value, call.access.kind);
    finding.other = culprit(other.block, threadOf(worst.tag), other.pc, AccessKind(other.kind));
    finding.space = Space::Global;
    finding.address = call.access.addresses[lane];
    finding.widthBytes = call.access.widthBytes;
    finding.buffer = call.buffer.spec.index;
    finding.offsetBytes = s64(finding.address - call.buffer.spec.base);
    finding.sizeBytes = call.buffer.spec.sizeBytes;
    findings.add(finding);
}

}  // namespace lockstep::trace
