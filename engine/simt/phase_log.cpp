#include "simt/phase_log.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lockstep::simt {

using trace::SharedRun;

void PhaseLog::beginBlock(const Block& block) {
    if (block.counter != counter_) {
        settle();
        patterns_.clear();
        forgetPhases();
    }
    block_ = block;
    shadow_ = block.shadow;
    counter_ = block.counter;
    used_ = 0;
    usedValues_ = 0;
    toldSome_ = hasOthers_ = false;
    if (states_.empty()) states_.emplace_back();  // state 0: nothing is written
    state_ = 0;
    if (shadow_) owners_.beginBlock(block.sharedBytes);
    ownersKnow_ = shadowKnows_ = true;
    last_ = kUnknown;
    blockPhases_.clear();
    fenced_ = fencing_ = 0;
    isBlockKnown_ = shadow_ != nullptr;
}

trace::WarpAccess PhaseLog::Logged::unpacked() const {
    trace::WarpAccess access{.pc = Pc{pc},
                             .active = {active},
                             .space = trace::Space::Shared,
                             .kind = operation.kind,
                             .widthBytes = u8(operation.widthBytes()),
                             .addresses = {}};
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        access.addresses[lane] = shape ? lowest + shape->distances[lane] : addresses[lane];
    return access;
}

// visit(logged access): false ends it
// order(warp, lanes): a fence, or if there are lanes, their bar.warp.sync.
template <class Visit, class Order>
void PhaseLog::forEachAccess(const u64* words, std::size_t count, Visit visit, Order order) const {
    std::size_t valuesAt = 0;
    const auto goesOn = [&](const Logged& logged) {
        if (!visit(logged)) return false;
        if (logged.isStore()) valuesAt += 2 * kWarpSize * logged.operation.widthBytes();
        return true;
    };
    for (const u64 *at = words, *end = words + count; at != end;) {
        const u32 number = u32(*at), warp = u32(*at++ >> 32);
        if (number == kWarpSync || number == kFence) {
            order(warp, LaneMask{number == kWarpSync ? u32(*at++) : 0});
        } else if (number == kOther) {
            Logged logged{*std::bit_cast<const MemoryOperation*>(at[0]),
                          warp,
                          u32(at[1]),
                          u32(at[1] >> 32),
                          nullptr,
                          0,
                          at[2],
                          {},
                          valuesAt};
            std::memcpy(logged.addresses.data(), at + 3, sizeof logged.addresses);
            if (!goesOn(logged)) return;
            at += kOtherWords - 1;
        } else {
            const SharedGroup& group = groups_->groups[number];
            for (const SharedGroup::Member& member : group.members) {
                const MemoryOperation& operation = groups_->memory[member.operation];
                const auto& shape = *std::bit_cast<const AddressShape*>(at[2 * member.use]);
                const u64 lowest = at[2 * member.use + 1] + u64(operation.offsetBytes);
                Logged logged{operation, warp, member.pc, shape.active, &shape, lowest, 0, {}, valuesAt};
                if (!goesOn(logged)) return;
            }
            at += 2 * group.uses.size();
        }
    }
}

void PhaseLog::count(const Logged& logged, u64 times) {
    if (!logged.shape && logged.pattern == kCounted) return;
    trace::PatternCounter::Shape* known = nullptr;
    if (logged.shape)
        known =
            patterns_.of(*counter_, logged.operation.site, *logged.shape, [&] { return logged.unpacked(); });
    else if (logged.pattern != kWithoutPattern)
        known = std::bit_cast<trace::PatternCounter::Shape*>(logged.pattern);
    if (known)
        counter_->count(known,
                        logged.shape ? logged.lowest : logged.addresses[u32(std::countr_zero(logged.active))],
                        times);
    else
        counter_->count(logged.unpacked(), times);
}

void PhaseLog::countAll(const u64* words, std::size_t count, u64 times) {
    if (!counter_) return;
    forEachAccess(
        words, count,
        [&](const Logged& logged) {
            this->count(logged, times);
            return true;
        },
        [](u32, LaneMask) {});
}

void PhaseLog::access(u32 warp, const MemoryOperation& operation, const trace::WarpAccess& access,
                      const Counting& counting, const std::byte* values, const std::byte* memory) {
    const u32 width = access.widthBytes;
    Logged logged{operation, warp, access.pc.value, access.active.bits, nullptr, 0, kCounted, {}, 0};
    if (!counting.isDone)
        logged.pattern = counting.pattern ? std::bit_cast<u64>(counting.pattern) : kWithoutPattern;
    const u64 lowest = access.addresses[access.active.lowest().value];
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        logged.addresses[lane] = u32(access.active.bits >> lane & 1 ? access.addresses[lane] : lowest);
    if (logs(operation)) {
        if (logged.isStore()) makeRoomForValues(width);
        makeRoom(kOtherWords);
    }
    if (!logs(operation)) {
        tell();
        if (counter_) count(logged, 1);
        shadow_->access(Warp{warp}, access, operation.strength, values);
        return;
    }
    u64* const to = room(kOtherWords);
    to[0] = firstWord(warp, kOther);
    to[1] = std::bit_cast<u64>(&operation);
    to[2] = u64{logged.active} << 32 | logged.pc;
    to[3] = logged.pattern;
    std::memcpy(to + 4, logged.addresses.data(), sizeof logged.addresses);
    hasOthers_ = true;
    if (!logged.isStore()) return;
    std::byte* const stored = addValues(width);
    std::memcpy(stored, values, kWarpSize * width);
    for (const Lane lane : access.active)
        std::memcpy(stored + (kWarpSize + lane.value) * width, memory + logged.addresses[lane.value], width);
}

void PhaseLog::forgetPhases() {
    phases_.clear();
    byHash_.clear();
    rememberedWords_ = 0;
    last_ = firstOfBlock_ = kUnknown;
}

std::vector<SharedRun> PhaseLog::written() const {
    return state_ != kUnknown ? states_[state_] : ownersKnow_ ? owners_.written() : shadow_->written();
}

void PhaseLog::tellOwners() {
    if (!ownersKnow_)
        for (const SharedRun& run : written())
            owners_.markWritten(run.offsetBytes, run.bytes);
    ownersKnow_ = true;
}

void PhaseLog::tellShadow() {
    if (!shadowKnows_)
        for (const SharedRun& run : written())
            shadow_->markWritten(run.offsetBytes, run.bytes);
    shadowKnows_ = true;
}

// All of the phase is logged, and has no findings.
bool PhaseLog::isQuiet() {
    if (state_ == kUnknown) tellShadow();  // the owners may not know for much longer
    tellOwners();
    owners_.beginPhase();
    bool isQuiet = true;
    forEachAccess(
        words_.data(), used_,
        [&](const Logged& logged) {
            const MemoryOperation& operation = logged.operation;
            const AddressShape* const shape = logged.shape;
            const u32 width = operation.widthBytes();
            const trace::SharedOwners::Lanes lanes{.warp = logged.warp,
                                                   .kind = operation.kind,
                                                   .widthBytes = width,
                                                   .active = {logged.active},
                                                   .isRow = shape && shape->affine &&
                                                            shape->strideBytes == s64(width) &&
                                                            logged.active == LaneMask::all().bits};
            std::array<u32, kWarpSize> addresses = logged.addresses;
            if (shape)
                for (u32 lane = 0; lane < kWarpSize; ++lane)
                    addresses[lane] = u32(logged.lowest + shape->distances[lane]);
            isQuiet = ordersNothing(operation) && owners_.access(lanes, addresses.data());
            return isQuiet;
        },
        [](u32, LaneMask) {});
    if (!isQuiet) ownersKnow_ = false;
    return isQuiet;
}

void PhaseLog::tell() {
    if (shadow_ && !toldSome_) shadow_->markFenced(fenced_);
    toldSome_ = true;
    if (shadow_) tellShadow();
    if (!used_) return;
    forEachAccess(
        words_.data(), used_,
        [&](const Logged& logged) {
            if (counter_) count(logged, 1);
            if (!shadow_) return true;
            const trace::WarpAccess access = logged.unpacked();
            const std::byte* values = logged.isStore() ? values_.data() + logged.valuesAt : nullptr;
            shadow_->access(Warp{logged.warp}, access, logged.operation.strength, values,
                            values ? values + kWarpSize * access.widthBytes : nullptr);
            return true;
        },
        [&](u32 warp, LaneMask lanes) {
            if (!shadow_) return;
            lanes.empty() ? shadow_->fence(Warp{warp}) : shadow_->warpSync(Warp{warp}, lanes);
        });
    used_ = 0;
    usedValues_ = 0;
}

// A phase of more than kMostWords is never remembered, so it can be reported in pieces.
void PhaseLog::growWords(std::size_t words) {
    if (used_ + words > kMostWords) tell();
    if (used_ + words > words_.size()) words_.resize(2 * (used_ + words));
}

void PhaseLog::growValues(std::size_t bytes) {
    if (usedValues_ + bytes > kMostValueBytes) tell();
    if (usedValues_ + bytes > values_.size()) values_.resize(2 * (usedValues_ + bytes));
}

bool PhaseLog::isPhase(u32 phase) const {
    const Phase& known = phases_[phase];
    return known.before == state_ && known.fenced == fenced_ && known.words.size() == used_ &&
           std::equal(known.words.begin(), known.words.end(), words_.begin());
}

u64 PhaseLog::hashOfWords(u32 state) const {
    u64 hash = u64{fenced_} << 32 | state;
    for (std::size_t i = 0; i < used_; ++i)
        hash = (hash ^ words_[i]) * 0x9e3779b97f4a7c15u, hash ^= hash >> 29;
    return hash;
}

u32 PhaseLog::findPhase() {
    const u32 likely = last_ == kUnknown ? firstOfBlock_ : phases_[last_].likelyNext;
    if (likely != kUnknown && isPhase(likely)) return likely;
    const auto [first, end] = byHash_.equal_range(hashOfWords(state_));
    for (auto known = first; known != end; ++known)
        if (isPhase(known->second)) return known->second;
    return kUnknown;
}

void PhaseLog::endPhase() {
    if (!shadow_) return tell();
    if (!toldSome_ && state_ != kUnknown && (!hasOthers_ || hopes_)) {
        if (const u32 phase = findPhase(); phase != kUnknown) {
            ++phases_[phase].repeats;
            if (hasOthers_) hopes_ = kMostHopes;
            if (const trace::SharedFindings& known = phases_[phase].findings; !known.empty())
                shadow_->repeat(known, block_.at, block_.sharedBytes, *block_.findings);
            (last_ == kUnknown ? firstOfBlock_ : phases_[last_].likelyNext) = phase;
            last_ = phase;
            blockPhases_.push_back(phase);
            if (phases_[phase].after != state_) ownersKnow_ = shadowKnows_ = false;
            state_ = phases_[phase].after;
            fenced_ = fencing_;
            used_ = 0;
            usedValues_ = 0;
            hasOthers_ = false;
            return;
        }
    }
    isBlockKnown_ = false;
    if (!toldSome_ && block_.asksOwners && isQuiet()) {
        endQuietly();
    } else {
        remember();
        shadow_->blockBarrier();
        toldSome_ = false;
    }
    fenced_ = fencing_;
    hasOthers_ = false;
}

u32 PhaseLog::stateOf(std::vector<SharedRun> written) {
    const auto known = std::ranges::find(states_, written);
    if (known != states_.end()) return u32(known - states_.begin());
    if (states_.size() == kMostStates) return kUnknown;
    states_.push_back(std::move(written));
    return u32(states_.size() - 1);
}

// To be remembered, if it is whole.
bool PhaseLog::hasRoomFor() const {
    return phases_.size() < kMostPhases && rememberedWords_ + used_ <= kMostRemembered &&
           (!hasOthers_ || hopes_);
}

void PhaseLog::keep(Phase phase, u64 hash) {
    if (hasOthers_) --hopes_;
    phase.after = state_;
    rememberedWords_ += phase.words.size() + phase.findings.words();
    last_ = u32(phases_.size());
    phases_.push_back(std::move(phase));
    byHash_.emplace(hash, last_);
}

void PhaseLog::endQuietly() {
    countAll(words_.data(), used_, 1);
    const u32 before = state_;
    last_ = kUnknown;
    if (owners_.hasWrittenAnew()) {
        shadowKnows_ = false;
        state_ = kUnknown;
        if (before != kUnknown) state_ = stateOf(owners_.written());
    }
    if (before != kUnknown && state_ != kUnknown && hasRoomFor()) {
        Phase phase;
        phase.before = before;
        phase.fenced = fenced_;
        phase.words.assign(words_.begin(), words_.begin() + std::ptrdiff_t(used_));
        keep(std::move(phase), hashOfWords(before));
    }
    used_ = 0;
    usedValues_ = 0;
}

void PhaseLog::remember() {
    const bool hasRoom = hasRoomFor(), isWhole = !toldSome_ && state_ != kUnknown && hasRoom;
    Phase phase;
    phase.before = state_;
    phase.fenced = fenced_;
    u64 hash = 0;
    if (isWhole) {
        phase.words.assign(words_.begin(), words_.begin() + std::ptrdiff_t(used_));
        hash = hashOfWords(state_);
    }
    const u64 comparisons = shadow_->comparisons();
    shadow_->noteFindings(isWhole ? &phase.findings : nullptr);
    tell();
    shadow_->noteFindings(nullptr);
    state_ = hasRoom ? stateOf(shadow_->written()) : kUnknown;
    ownersKnow_ = false;
    last_ = kUnknown;
    if (!isWhole || state_ == kUnknown || shadow_->comparisons() != comparisons || !shadow_->areAllNoted())
        return;
    keep(std::move(phase), hash);
}

u32 PhaseLog::firstPoisoned(const std::vector<u32>& phases) const {
    const auto gives = [&](u32 phase) { return phases_[phase].findings.givePoison(); };
    const auto first = std::ranges::find_if(phases, gives);
    return first == phases.end() ? ~0u : u32(first - phases.begin());
}

bool PhaseLog::addFindings(const std::vector<u32>& phases, trace::SharedFindings& to) const {
    return std::ranges::all_of(phases, [&](u32 phase) { return to.add(phases_[phase].findings); });
}

void PhaseLog::settle() {
    if (!counter_) return;
    for (Phase& phase : phases_) {
        if (!phase.repeats) continue;
        countAll(phase.words.data(), phase.words.size(), phase.repeats);
        phase.repeats = 0;
    }
}

}  // namespace lockstep::simt
