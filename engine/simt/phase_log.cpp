#include "simt/phase_log.h"

#include <algorithm>
#include <bit>

namespace lockstep::simt {

using trace::SharedShadow;

void PhaseLog::beginBlock(const Block& block) {
    if (block.counter != counter_) {
        settle();
        patterns_.clear();
    }
    block_ = block;
    shadow_ = block.shadow;
    counter_ = block.counter;
    used_ = 0;
    usedValues_ = 0;
    toldSome_ = false;
    if (states_.empty()) states_.emplace_back();  // state 0: nothing is written
    state_ = shadowState_ = 0;
    last_ = kUnknown;
    blockPhases_.clear();
    fenced_ = fencing_ = 0;
    isBlockKnown_ = shadow_ != nullptr;
}

// visit(operation, warp, shape, access, bytes of values before this access)
// order(warp, lanes): a fence, or if there are lanes, their bar.warp.sync.
template <class Visit, class Order>
void PhaseLog::forEachAccess(const u64* words, std::size_t count, Visit visit, Order order) const {
    trace::WarpAccess access;
    access.space = trace::Space::Shared;
    std::size_t valuesAt = 0;
    for (const u64 *at = words, *end = words + count; at != end;) {
        const u32 number = u32(*at), warp = u32(*at++ >> 32);
        if (number == kWarpSync || number == kFence) {
            order(warp, LaneMask{number == kWarpSync ? u32(*at++) : 0});
            continue;
        }
        const SharedGroup& group = groups_->groups[number];
        for (const SharedGroup::Member& member : group.members) {
            const MemoryOperation& operation = groups_->memory[member.operation];
            const auto& shape = *std::bit_cast<const AddressShape*>(at[2 * member.use]);
            const u64 lowest = at[2 * member.use + 1] + u64(operation.offsetBytes);
            access.pc = Pc{member.pc};
            access.active = {shape.active};
            access.kind = operation.kind;
            access.widthBytes = u8(operation.widthBytes());
            for (u32 lane = 0; lane < kWarpSize; ++lane)
                access.addresses[lane] = lowest + shape.distances[lane];
            visit(operation, warp, shape, access, valuesAt);
            if (operation.kind == trace::AccessKind::Store) valuesAt += 2 * kWarpSize * access.widthBytes;
        }
        at += 2 * group.uses.size();
    }
}

void PhaseLog::count(const MemoryOperation& operation, const AddressShape& shape,
                     const trace::WarpAccess& access, u64 times) {
    if (trace::PatternCounter::Shape* known = patterns_.of(*counter_, operation.site, shape, access))
        counter_->count(known, access.addresses[u32(std::countr_zero(shape.active))], times);
    else
        counter_->count(access, times);
}

void PhaseLog::tell() {
    if (shadow_ && !toldSome_) shadow_->markFenced(fenced_);
    toldSome_ = true;
    if (shadow_ && shadowState_ != state_ && state_ != kUnknown)
        for (const SharedShadow::Run& run : states_[state_])
            shadow_->markWritten(run.offsetBytes, run.bytes);
    shadowState_ = state_;
    if (!used_) return;
    forEachAccess(
        words_.data(), used_,
        [&](const MemoryOperation& operation, u32 warp, const AddressShape& shape,
            const trace::WarpAccess& access, std::size_t valuesAt) {
            if (counter_) count(operation, shape, access, 1);
            if (!shadow_) return;
            const bool isStore = operation.kind == trace::AccessKind::Store;
            const std::byte* values = isStore ? values_.data() + valuesAt : nullptr;
            shadow_->access(Warp{warp}, access, operation.strength, values,
                            isStore ? values + kWarpSize * access.widthBytes : nullptr);
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

u64 PhaseLog::hashOfWords() const {
    u64 hash = u64{fenced_} << 32 | state_;
    for (std::size_t i = 0; i < used_; ++i)
        hash = (hash ^ words_[i]) * 0x9e3779b97f4a7c15u, hash ^= hash >> 29;
    return hash;
}

u32 PhaseLog::findPhase() {
    const u32 likely = last_ == kUnknown ? firstOfBlock_ : phases_[last_].likelyNext;
    if (likely != kUnknown && isPhase(likely)) return likely;
    const auto [first, end] = byHash_.equal_range(hashOfWords());
    for (auto known = first; known != end; ++known)
        if (isPhase(known->second)) return known->second;
    return kUnknown;
}

void PhaseLog::endPhase() {
    if (!shadow_) return tell();
    if (!toldSome_ && state_ != kUnknown) {
        if (const u32 phase = findPhase(); phase != kUnknown) {
            ++phases_[phase].repeats;
            if (const trace::SharedFindings& known = phases_[phase].findings; !known.empty())
                shadow_->repeat(known, block_.at, block_.sharedBytes, *block_.findings);
            (last_ == kUnknown ? firstOfBlock_ : phases_[last_].likelyNext) = phase;
            last_ = phase;
            blockPhases_.push_back(phase);
            state_ = phases_[phase].after;
            fenced_ = fencing_;
            used_ = 0;
            usedValues_ = 0;
            return;
        }
    }
    remember();
    shadow_->blockBarrier();
    fenced_ = fencing_;
    toldSome_ = false;
    isBlockKnown_ = false;
}

u32 PhaseLog::stateOf(std::vector<SharedShadow::Run> written) {
    const auto known = std::ranges::find(states_, written);
    if (known != states_.end()) return u32(known - states_.begin());
    if (states_.size() == kMostStates) return kUnknown;
    states_.push_back(std::move(written));
    return u32(states_.size() - 1);
}

void PhaseLog::remember() {
    const bool hasRoom = phases_.size() < kMostPhases && rememberedWords_ + used_ <= kMostWords;
    const bool isWhole = !toldSome_ && state_ != kUnknown && hasRoom;
    Phase phase;
    phase.before = state_;
    phase.fenced = fenced_;
    u64 hash = 0;
    if (isWhole) {
        phase.words.assign(words_.begin(), words_.begin() + std::ptrdiff_t(used_));
        hash = hashOfWords();
    }
    const u64 comparisons = shadow_->comparisons();
    shadow_->noteFindings(isWhole ? &phase.findings : nullptr);
    tell();
    shadow_->noteFindings(nullptr);
    state_ = shadowState_ = hasRoom ? stateOf(shadow_->written()) : kUnknown;
    last_ = kUnknown;
    if (!isWhole || state_ == kUnknown || shadow_->comparisons() != comparisons || !shadow_->areAllNoted())
        return;
    phase.after = state_;
    rememberedWords_ += phase.words.size() + phase.findings.words();
    last_ = u32(phases_.size());
    phases_.push_back(std::move(phase));
    byHash_.emplace(hash, last_);
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
        forEachAccess(
            phase.words.data(), phase.words.size(),
            [&](const MemoryOperation& operation, u32, const AddressShape& shape,
                const trace::WarpAccess& access,
                std::size_t) { count(operation, shape, access, phase.repeats); },
            [](u32, LaneMask) {});
        phase.repeats = 0;
    }
}

}  // namespace lockstep::simt
