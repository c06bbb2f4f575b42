#include "simt/script/known_accesses.h"

#include "simt/script/script.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace lockstep::simt {

namespace {

// Of words.
bool hasNeighbors(const AddressShape& shape) {
    for (u32 lane = 1; lane < kWarpSize; ++lane)
        if (shape.distances[lane] == shape.distances[lane - 1] + sizeof(u32)) return true;
    return false;
}

}  // namespace

// Are the steps of this block counted when the launch ends?
bool KnownAccesses::defers(Group& group, u64 by) {
    // Mostly they come in turn.
    if (++group.latest >= group.repeats.size()) group.latest = 0;
    if (group.repeats.empty() || group.repeats[group.latest].by != u8(by))
        group.latest =
            u32(std::ranges::find(group.repeats, u8(by), &Group::Repeats::by) - group.repeats.begin());
    if (group.latest == group.repeats.size()) {
        group.repeats.push_back({u8(by), 0});
        return false;
    }
    ++group.repeats[group.latest].blocks;
    return true;
}

bool KnownAccesses::isWatched(const Group& group, const Observers& observers) {
    return observers.snapshot && observers.snapshot->isWatched(group.site.allocation);
}

// No access has to be reported by itself: the shadow is told of all of them here.
bool KnownAccesses::isQuiet(const Group& group, u64 by, const Observers& observers) {
    trace::GlobalBlockShadow* const shadow = observers.globalShadow;
    if (!shadow) return group.direct != Direct::StoreStaged;
    return group.isStore() ? shadow->storeAll(group.site.allocation, group.footprint, by)
                           : shadow->skipsLoad(group.site.allocation);
}

void KnownAccesses::begin(std::span<ScriptStep> steps, std::span<const u64> scalars,
                          const Observers& observers) {
    ++blocks_;
    const bool isKnown = !isLearning();
    if (blocks_ == 2 && observers.globalShadow) findFootprints(steps, *observers.globalShadow);
    isStaging_ = false;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        Group& group = groups_[i];
        Now& now = now_[i];
        const u64 by = scalars[group.scalar], ahead = by - now.by;
        const u64 least = group.least + by, most = group.most + by, span = group.site.span;
        now.isInside = least <= most && most <= span && !(by & group.site.misaligned);
        now.by = by;
        now.memory = group.site.host + by;
        const bool isReady = isKnown && now.isInside;
        now.isCounted = observers.counter && !(isReady && defers(group, by));
        const bool isDirect = isReady && group.direct != Direct::No && !now.isCounted &&
                              !observers.requests && !(group.isStore() && isWatched(group, observers)) &&
                              isQuiet(group, by, observers);
        now.direct = isDirect ? group.direct : Direct::No;
        const bool isAheadInside = least + ahead <= most + ahead && most + ahead <= span;
        group.ahead = isAheadInside ? s64(ahead) : 0;
        now.fetched = group.isStore() ? 0 : group.ahead;
        isStaging_ |= now.direct == Direct::StoreStaged;
        if (isDirect && group.isStore() && observers.snapshot)
            observers.snapshot->beforeWrite(group.site.allocation,
                                            [&] { return group.site.written(least, most); });
    }
}

// The blocks that follow store to the same granules, displaced by a number.
void KnownAccesses::findFootprints(std::span<ScriptStep> steps, const trace::GlobalBlockShadow& shadow) {
    constexpr std::size_t kMostGranules = 1u << 16;  // of a group
    std::vector<std::vector<u64>> granules(groups_.size()), places(groups_.size());
    for (ScriptStep& step : steps) {
        if (step.kind != ScriptStep::Kind::AccessAt || step.group == kUnknown) continue;
        const Group& group = groups_[step.group];
        std::vector<u64>& of = granules[step.group];
        if (!group.isStore() || of.size() > kMostGranules) continue;
        const u32 shift = shadow.granuleShift(group.site.allocation);
        const u64 first = group.site.first - shadow.baseOf(group.site.allocation);
        const u64 width = group.site.misaligned + 1;
        step.staged = u32(places[step.group].size());
        const u64 staged = group.direct == Direct::StoreStaged ? width : 0;
        for (u64 at = 0; at < staged; at += sizeof(u32))  // a word of each lane, as in registers
            for (u64 distance : group.site.shape->distances)
                places[step.group].push_back(step.at + distance + at);
        for (u64 distance : group.site.shape->distances)
            for (u64 at = 0; at < width; at += u64{1} << shift)
                of.push_back((first + step.at + distance + at) >> shift);
    }
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        Group& group = groups_[i];
        const u32 shift = shadow.granuleShift(group.site.allocation);
        if (granules[i].size() > kMostGranules || (group.site.misaligned + 1) >> shift == 0) continue;
        std::ranges::sort(granules[i]);
        group.footprint = {granules[i], shift};
        if (group.direct == Direct::StoreStaged && !group.footprint.empty()) findRuns(group, places[i]);
    }
}

void KnownAccesses::findRuns(Group& group, std::span<const u64> places) {
    group.staged.resize(places.size());
    group.order.resize(places.size());
    std::iota(group.order.begin(), group.order.end(), 0u);
    std::ranges::sort(group.order, {}, [&](u32 word) { return s64(places[word]); });
    for (u32 word : group.order) {
        const bool goesOn = !group.runs.empty() &&
                            places[word] == group.runs.back().place + sizeof(u32) * group.runs.back().count;
        if (!goesOn) group.runs.push_back({places[word], 0});
        ++group.runs.back().count;
    }
}

void KnownAccesses::stage(u32 group, u32 at, const MemoryOperation& operation, const std::byte* frame) {
    u32* const to = groups_[group].staged.data() + at;
    for (u32 i = 0; i < operation.elements; ++i)
        std::memcpy(to + kWarpSize * i, frame + operation.registers[i].at, sizeof(u32) * kWarpSize);
}

void KnownAccesses::end() {
    if (!isStaging_) return;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        const Group& group = groups_[i];
        if (now_[i].direct != Direct::StoreStaged) continue;
        const u32* word = group.order.data();
        for (const Group::Run& run : group.runs) {
            std::byte* const to = now_[i].memory + run.place;
            if (group.ahead) __builtin_prefetch(to + group.ahead, 1);
            for (u32 n = 0; n < run.count; ++n)
                std::memcpy(to + sizeof(u32) * n, &group.staged[word[n]], sizeof(u32));
            word += run.count;
        }
    }
}

u32 KnownAccesses::learn(const BlockMemory::WarpSite& site, const MemoryOperation& operation, u32 scalar,
                         u64 place) {
    const bool isWhole = site.shape->active == LaneMask::all().bits;
    const auto directOf = [&] {
        if (!isWhole) return operation.kind == trace::AccessKind::Store ? Direct::No : Direct::Load;
        const bool isWord = site.rows && operation.elementBytes == 4;
        if (operation.kind == trace::AccessKind::Store) {
            if (isWord && site.isRun) return Direct::StoreRow;
            const auto isWordOfRegister = [&](const ElementSlot& slot) {
                return slot.loadsWords && slot.at != ElementSlot::kDiscard;
            };
            const bool areWords =
                operation.elementBytes == 4 &&
                std::ranges::all_of(std::span(operation.registers).first(operation.elements),
                                    isWordOfRegister);
            const bool isScattered = operation.elements == 1 ? !hasNeighbors(*site.shape) : !site.isRun;
            return areWords && isScattered ? Direct::StoreStaged : Direct::Store;
        }
        if (!site.rows) return Direct::Load;
        if (isWord && site.isRun) return Direct::LoadRow;
        return isWord && !site.shape->knownBits ? Direct::LoadSame : Direct::LoadRows;
    };
    const Direct direct = directOf();
    const auto isThis = [&](const Group& group) {
        return group.scalar == scalar && group.site.shape == site.shape &&
               group.site.pattern == site.pattern && group.site.allocation == site.allocation &&
               group.site.misaligned == site.misaligned && group.direct == direct;
    };
    auto group = std::ranges::find_if(groups_, isThis);
    if (group == groups_.end()) {
        group = groups_.emplace(groups_.end());
        group->site = site;
        group->scalar = scalar;
        group->direct = direct;
        now_.push_back({.rows = site.rows,
                        .elementBytes = operation.elementBytes,
                        .distances = site.shape->distances.data()});
    }
    group->least = std::min(group->least, place);
    group->most = std::max(group->most, place);
    return u32(group - groups_.begin());
}

void KnownAccesses::settle(std::span<const ScriptStep> steps, trace::PatternCounter& counter) {
    std::vector<std::array<u64, 256>> times(groups_.size());
    for (const ScriptStep& step : steps)
        if (step.kind == ScriptStep::Kind::AccessAt && step.group != kUnknown)
            ++times[step.group][u8(groups_[step.group].site.first + step.at)];
    std::vector<u32> places;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
        places.clear();
        for (u32 place = 0; place < times[i].size(); ++place)
            if (times[i][place]) places.push_back(place);
        for (Group::Repeats& repeats : groups_[i].repeats) {
            if (!repeats.blocks) continue;
            for (u32 place : places)
                counter.count(groups_[i].site.pattern, u64{place} + repeats.by,
                              times[i][place] * repeats.blocks);
            repeats.blocks = 0;
        }
    }
}

}  // namespace lockstep::simt
