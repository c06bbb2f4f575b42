// Blocks that follow a script instead of being interpreted.
#include "simt/block_runner.h"
#include "simt/opcodes/multiply_add.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lockstep::simt {
namespace {

// A script for the blocks inside a grid and some at its edges.
constexpr std::size_t kMostScripts = 4;
// Phases of shared memory are known by then, if they repeat.
constexpr u32 kFirstWritten = 2;
// What could not be written a few times is not tried again; nor are grids of few blocks worth it.
constexpr u32 kMostFailures = 3;
constexpr u64 kFewestBlocks = 32;
// Where hardly a block decides as another did, looking for a script is given up after so many.
constexpr u64 kMostStrayed = 64;
// Writing takes as long as a few blocks: another script is for many.
constexpr u64 kStrayedPerScript = 12;

// registers at at[0] = those at at[1], plus a number
template <class T> void shift(const u32* at, std::byte* frame, u32 mask, u64 by) {
    T* const to = reinterpret_cast<T*>(frame + at[0]);
    const T* const from = reinterpret_cast<const T*>(frame + at[1]);
    if (mask == LaneMask::all().bits) {
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            to[lane] = from[lane] + T(by);
        return;
    }
    for (u32 lane = 0; lane < kWarpSize; ++lane)
        to[lane] = mask >> lane & 1 ? from[lane] + T(by) : to[lane];
}

void shift(const ScriptStep& step, std::byte* frame, u64 by) {
    if (step.kind == ScriptStep::Kind::Shift)
        shift<u32>(step.op->at.data(), frame, step.mask, by);
    else
        shift<u64>(step.op->at.data(), frame, step.mask, by);
}

}  // namespace

bool BlockRunner::mayWriteScript() const {
    return program_.isAccelerated && !observers_.recorder && shape_.grid.count() >= kFewestBlocks &&
           interpreted_ >= kFirstWritten && failures_ < kMostFailures && scripts_.size() < kMostScripts &&
           strayed_ >= kStrayedPerScript * scripts_.size() && !program_.callsFunctions &&
           (!program_.sharedBytes || observers_.sharedShadow);
}

// Before the block begins: the counts and findings that a script must not repeat are those of this block.
void BlockRunner::beginScript() {
    std::vector<u32> memoAt;
    for (const WarpState& warp : warps_)
        memoAt.push_back(warp.frameBytes());
    writer_ = std::make_unique<ScriptWriter>(program_, at_, memoAt);
    before_ = tally_;
    findingsBefore_ = observers_.findings->distinct();
}

void BlockRunner::endScript(bool isDone) {
    std::unique_ptr<Script> script;
    const std::vector<u32>* const phases = memory_.phases();
    trace::SharedFindings found;
    const bool areNoted = !program_.sharedBytes || (phases && memory_.addFindings(*phases, found));
    const u64 distinct = found.distinct();
    const bool isSound = isDone && areNoted && observers_.findings->distinct() == findingsBefore_ + distinct;
    if (isSound) script = writer_->finish(*before_, tally_, issued_);
    if (script) {
        script->findingPlaces = found.places();
        script->distinctFindings = distinct;
        script->findings = std::move(found);
        if (program_.sharedBytes) script->poisonedAt = memory_.firstPoisoned(*phases);
        for (WarpState& warp : warps_)
            warp.extendFrame(writer_->memo(warp.index()));
        if (program_.sharedBytes) script->phases = *phases;
        scripts_.push_back(std::move(script));
    } else {
        failures_ = isSound || writer_->hasGivenUp() ? kMostFailures : failures_ + 1;
    }
    writer_.reset();
    before_.reset();
}

void BlockRunner::settleScripts() {
    for (const std::unique_ptr<Script>& script : scripts_) {
        tally_.add(script->counts, script->repeats);
        tally_.followed += script->repeats;
        script->repeats = 0;
        if (observers_.counter) script->accesses.settle(script->steps, *observers_.counter);
    }
}

// The script for this block; null: none. What the decisions need is in the frames then.
Script* BlockRunner::findScript() {
    if (observers_.recorder || scripts_.empty()) return nullptr;
    if (strayed_ > kMostStrayed && strayed_ > followed_) return nullptr;
    if (sinceCheck_ >= kCheckEvery) {
        sinceCheck_ = 0;
        if (stop_.requested()) return nullptr;
    }
    for (std::size_t i = 0; i < scripts_.size(); ++i) {
        if (!decidesAs(*scripts_[i])) continue;
        if (i) std::swap(scripts_[i], scripts_[i - 1]);  // those of most blocks come first
        ++followed_;
        return scripts_[i ? i - 1 : 0].get();
    }
    ++strayed_;
    return nullptr;
}

bool BlockRunner::decidesAs(const Script& script) {
    if (!script.scalars.evaluate(at_, scalars_)) return false;
    if (script.readsCoordinates || !script.decisions.empty())
        for (WarpState& warp : warps_)
            warp.enterBlock(at_, serial_);
    for (const ScriptStep& step : script.decisions) {
        std::byte* const frame = warps_[step.warp].frame();
        const Op& op = *step.op;
        u32 mask = step.mask;
        if (step.guarded || step.kind == ScriptStep::Kind::Decision) mask = guarded(op, frame, mask);
        switch (step.kind) {
            case ScriptStep::Kind::Decision:
                if (mask != step.value) return false;
                break;
            case ScriptStep::Kind::Shift:
            case ScriptStep::Kind::ShiftWide: shift(step, frame, scalars_[step.scalar]); break;
            default: op.execute(op.at.data(), frame, mask);
        }
    }
    return true;
}

// A step of AccessAt whose place is not known yet, or is not in the buffer.
void BlockRunner::accessUnknown(Script& script, ScriptStep& step, const Accessor& where) {
    const MemoryOperation& operation = program_.memory[step.op->aux];
    const bool isKnown = step.group != KnownAccesses::kUnknown;
    const u64 by = scalars_[step.scalar], offset = u64(operation.offsetBytes);
    const u64 first = step.at + by + (isKnown ? script.accesses.site(step.group).first - offset : 0);
    u64* const addresses = reinterpret_cast<u64*>(where.frame + operation.address);
    for (Lane lane : LaneMask{step.mask})
        addresses[lane.value] = first + script.distances[step.value][lane.value];
    memory_.accessGlobal(operation, where, step.mask);
    const BlockMemory::WarpSite& site = memory_.lastOf(operation, where);
    if (!script.accesses.isLearning() || isKnown || !site.shape) return;
    step.at = first + offset - site.first - by;
    step.group = script.accesses.learn(site, operation, step.scalar, step.at);
}

inline void BlockRunner::accessAt(Script& script, ScriptStep& step, const Accessor& where) {
    if (step.group == KnownAccesses::kUnknown) return accessUnknown(script, step, where);
    const KnownAccesses::Now& now = script.accesses.now(step.group);
    std::byte *const registers = where.frame + step.to, *const memory = now.memory + step.at;
    const auto fetch = [&] {
        for (u32 row = 0; now.fetched && row < 4; ++row)
            __builtin_prefetch(memory + now.fetched + now.distances[8 * row]);
    };
    const auto operation = [&]() -> const MemoryOperation& { return program_.memory[step.op->aux]; };
    switch (now.direct) {
        using enum KnownAccesses::Direct;
        case LoadRow: std::memcpy(registers, memory, sizeof(u32) * kWarpSize); return fetch();
        case LoadSame: {
            u32 word;
            std::memcpy(&word, memory, sizeof word);
            std::fill_n(reinterpret_cast<u32*>(registers), kWarpSize, word);
            if (now.fetched) __builtin_prefetch(memory + now.fetched);
            return;
        }
        case LoadRows: loadRows(registers, memory, now.distances, now.elementBytes, now.rows); return fetch();
        case Load:
            BlockMemory::fetchKnown(script.accesses.site(step.group), memory, operation(), where);
            return fetch();
        case StoreRow: std::memcpy(memory, registers, sizeof(u32) * kWarpSize); return;
        case Store:
            return BlockMemory::moveKnown(script.accesses.site(step.group), memory, operation(), where);
        case StoreStaged: return script.accesses.stage(step.group, step.staged, operation(), where.frame);
        case No: break;
    }
    if (now.isInside)
        memory_.accessKnown(script.accesses.site(step.group), step.at + now.by, now.isCounted, now.fetched,
                            operation(), where);
    else
        accessUnknown(script, step, where);
}

void BlockRunner::follow(Script& script) {
    using enum ScriptStep::Kind;
    script.accesses.begin(script.steps, scalars_, observers_);
    u32 phase = 0;
    if (script.poisonedAt != ~0u) memory_.clearShared();
    for (ScriptStep& step : script.steps) {
        WarpState& warp = warps_[step.warp];
        const Op& op = *step.op;
        Accessor where{.warp = step.warp, .pc = op.pc, .frame = warp.frame(), .depth = 0};
        u32 mask = step.mask;
        if (step.guarded) {
            mask = guarded(op, where.frame, mask);
            if (op.guarded) tally_.guardedLanes[op.pc] += u32(std::popcount(mask));
            if (!mask) continue;
        }
        switch (step.kind) {
            case Lanes: op.execute(op.at.data(), where.frame, mask); break;
            case Divide:
                checkDivisors(warp, op, where.frame, mask);
                op.execute(op.at.data(), where.frame, mask);
                break;
            case Count: break;
            case Load: memory_.load(program_.memory[op.aux], where, mask); break;
            case Store: memory_.store(program_.memory[op.aux], where, mask); break;
            case Atomic: memory_.atomic(program_.memory[op.aux], where, mask); break;
            case AccessGlobal: memory_.accessGlobal(program_.memory[op.aux], where, mask); break;
            case LoadIndexed:
                if (!memory_.loadIndexed(program_.memory[op.aux], where, mask)) {
                    op.execute(op.at.data(), where.frame, mask);
                    memory_.accessGlobal(program_.memory[op.aux], where, mask);
                }
                break;
            case AccessAt: accessAt(script, step, where); break;
            case Shift:
            case ShiftWide: shift(step, where.frame, scalars_[step.scalar]); break;
            case LoadShared: memory_.loadInGroup(program_.memory[op.aux], *step.slots, where, mask); break;
            case StoreShared: memory_.storeInGroup(program_.memory[op.aux], *step.slots, where, mask); break;
            case MultiplyAdd:
                simt::multiplyAdd(op, program_.multiplyAdds[op.aux], memory_.shared(), step.slots,
                                  where.frame, mask);
                break;
            case Barrier:
                if (observers_.globalShadow) observers_.globalShadow->blockBarrier();
                if (phase++ == script.poisonedAt) observers_.findings->notePoison(at_);
                if (observers_.requests) observers_.requests->barrierOfAll();
                break;
            case WarpsMet:
                if (observers_.globalShadow) observers_.globalShadow->warpSync(Warp{step.warp}, {mask});
                break;
            case Fence: fence(warp, op); break;
            case Decision: break;
        }
    }
    script.accesses.end();
    memory_.repeatPhases(script.phases);
    if (script.distinctFindings &&
        !observers_.findings->addUnlisted(LaunchId{shape_.launch}, script.findingPlaces,
                                          script.distinctFindings))
        observers_.sharedShadow->repeat(script.findings, at_, program_.sharedBytes, *observers_.findings);
    issued_ = script.issued;
    sinceCheck_ += issued_;
    ++script.repeats;
    alive_ = 0;
}

}  // namespace lockstep::simt
