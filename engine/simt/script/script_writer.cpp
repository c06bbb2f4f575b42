#include "simt/script/script_writer.h"

#include "base/device_addresses.h"
#include "ptx/opcodes.h"
#include "simt/decode/frame_layout.h"
#include "simt/opcodes/lane_helpers.h"
#include "simt/script/op_operands.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace lockstep::simt {
namespace {

using Kind = ScriptStep::Kind;

constexpr std::size_t kMostSteps = 1 << 16, kMostMemoBytes = 8u << 20;

Execute copyOf(Storage storage) {
    switch (storage) {
        case Storage::Predicate: return &copyPredicate;
        case Storage::Lanes64: return &copyLanes64;
        case Storage::Lanes128: return &copyLanes128;
        default: return &copyLanes32;
    }
}

}  // namespace

ScriptWriter::ScriptWriter(const Program& program, Dim3 block, std::span<const u32> memoAt)
    : program_(program), script_(std::make_unique<Script>(program)), lastSlots_(memoAt.size()) {
    const FunctionCode& code = program.functions[0];
    std::vector<Register> registers(code.frameBytes / 4);
    const auto isThere = [&](u32 offset) {
        registers[offset / 4].present = registers[offset / 4].written = LaneMask::all().bits;
    };
    for (u32 offset : code.constants)
        isThere(offset);
    for (const FunctionCode::LocalAddress& local : code.localAddresses)
        isThere(local.at);
    for (const Op& op : program.prologue)
        for (u32 i = 0; i < op.results; ++i)
            isThere(op.at[i]);
    for (const SpecialSlot& special : code.specials) {
        isThere(special.at);
        if (!special.changesWithBlock) continue;
        Register& r = registers[special.at / 4];
        r.isCoordinate = true;
        using enum ptx::Special;
        if (special.special == CtaidX || special.special == CtaidY || special.special == CtaidZ) {
            const u32 axis = u32(special.special) - u32(CtaidX);
            const u32 coordinates[]{block.x, block.y, block.z};
            r.scalar = script_->scalars.coordinate(axis, coordinates[axis]);
            r.shifted = LaneMask::all().bits;
        } else {
            r.ofBlock = LaneMask::all().bits;
        }
    }
    for (u32 offset : memoAt)
        warps_.push_back({registers, offset, {}});
}

ScriptWriter::Guard ScriptWriter::guardOf(u32 warp, const Op& op, const std::byte* frame, u32 mask) {
    if (at(warp, op.guard).changes() & mask) return {mask, true};
    return {guarded(op, frame, mask), false};
}

ScriptStep& ScriptWriter::add(Kind kind, u32 warp, const Op& op, u32 mask) {
    if (script_->steps.size() >= kMostSteps) giveUp();
    isOfData_.push_back(false);
    ScriptStep& step = script_->steps.emplace_back();
    step.kind = kind;
    step.warp = u16(warp);
    step.op = &op;
    step.mask = mask;
    return step;
}

void ScriptWriter::addGuarded(ScriptStep& step, const Op& op, const std::byte* frame, u32 mask) {
    step.guarded = true;
    if (op.guarded) countedBySteps_.push_back({op.pc, u64(std::popcount(guarded(op, frame, mask)))});
}

u32 ScriptWriter::addToMemo(u32 warp, std::span<const std::byte> bytes) {
    constexpr std::size_t kLine = 64;
    std::vector<std::byte>& memo = warps_[warp].memo;
    if (bytes.size() >= kLine) memo.resize((memo.size() + kLine - 1) / kLine * kLine);
    const u32 at = warps_[warp].memoAt + u32(memo.size());
    memo.insert(memo.end(), bytes.begin(), bytes.end());
    memoBytes_ += bytes.size();
    if (memoBytes_ > kMostMemoBytes) giveUp();
    return at;
}

u32 ScriptWriter::memoOf(u32 warp, u32 offset, Storage storage, const std::byte* frame) {
    Register& r = at(warp, offset);
    if (!r.memoAt) r.memoAt = addToMemo(warp, {frame + offset, bytesOfStorage(storage)});
    return r.memoAt;
}

void ScriptWriter::bring(u32 warp, u32 offset, Storage storage, const std::byte* frame, u32 lanes) {
    Register& r = at(warp, offset);
    script_->readsCoordinates |= r.isCoordinate;
    lanes &= ~r.present;
    if (!lanes) return;
    const auto copy = [&](Kind kind, u32 which) -> ScriptStep& {
        Op& op = script_->ops.emplace_back();
        op.kind = OpKind::Hidden;
        op.execute = copyOf(storage);
        op.aux = kNoOp;
        op.at = {offset, memoOf(warp, offset, storage, frame)};
        return add(kind, warp, op, which);
    };
    if (!r.changes()) lanes = LaneMask::all().bits;
    if (const u32 known = lanes & ~r.shifted) copy(Kind::Lanes, known);
    if (const u32 shifted = lanes & r.shifted)
        copy(storage == Storage::Lanes64 ? Kind::ShiftWide : Kind::Shift, shifted).scalar = r.scalar;
    r.present |= lanes;
}

void ScriptWriter::keepOld(u32 warp, u32 offset, Storage storage, const std::byte* frame, u32 lanes) {
    const Register& r = at(warp, offset);
    bring(warp, offset, storage, frame, lanes & r.written);
}

void ScriptWriter::becomesData(u32 warp, u32 offset, u32 lanes) {
    Register& r = at(warp, offset);
    r.data |= lanes;
    r.ofBlock &= ~lanes;
    r.shifted &= ~lanes;
    r.present |= lanes;
    r.written |= lanes;
    r.memoAt = 0;
}

void ScriptWriter::becomesKnown(u32 warp, u32 offset, u32 lanes) {
    Register& r = at(warp, offset);
    r.data &= ~lanes;
    r.ofBlock &= ~lanes;
    r.shifted &= ~lanes;
    r.present &= ~lanes;
    r.written |= lanes;
    r.memoAt = 0;
}

void ScriptWriter::lanes(u32 warp, const Op& op, const std::byte* frame, u32 mask) {
    if (isOver()) return;
    const OpOperands operands = operandsOf(program_, op);
    if (!operands.count) return giveUp();
    const Guard guard = guardOf(warp, op, frame, mask);
    const u32 active = guard.active;
    if (!active) return;

    u32 data = guard.isLive ? at(warp, op.guard).data & active : 0;
    u32 ofBlock = guard.isLive ? at(warp, op.guard).ofBlock & active : 0;
    u32 shifted = 0;
    for (const OpOperand& operand : operands) {
        if (!operand.isRead) continue;
        const Register& r = at(warp, op.at[operand.place]);
        data |= r.data & active;
        ofBlock |= r.ofBlock & active;
        shifted |= r.shifted & active;
    }
    const bool isOnlyShifted = shifted && !data && !ofBlock && !guard.isLive;
    if (isOnlyShifted && becomesLinear(warp, op, operands, frame, active)) return;
    ofBlock |= shifted & ~data;
    const bool crossesLanes =
        ptx::opcodeTable()[program_.module->at(Pc{op.pc}).opcode].opcodeClass == ptx::OpcodeClass::Warp;
    if (crossesLanes && data) data = active;
    if (crossesLanes && ofBlock) ofBlock = active;
    if (!(data | ofBlock)) {
        for (const OpOperand& operand : operands)
            if (operand.isWritten) becomesKnown(warp, op.at[operand.place], active);
        return;
    }

    const Op* executed = &op;
    if (guard.isLive) bring(warp, op.guard, Storage::Predicate, frame, active);
    Op moved = op;
    for (const OpOperand& operand : operands) {
        const u32 offset = op.at[operand.place];
        if (operand.isRead) {
            const Register& r = at(warp, offset);
            if (operand.isWritten || (r.changes() & active) || !(active & ~r.present))
                bring(warp, offset, operand.storage, frame, active);
            else
                moved.at[operand.place] = memoOf(warp, offset, operand.storage, frame);
        } else if (guard.isLive) {
            keepOld(warp, offset, operand.storage, frame, active);
        }
    }
    if (moved.at != op.at) executed = &script_->ops.emplace_back(moved);
    ScriptStep& step = add(op.kind == OpKind::Divide ? Kind::Divide : Kind::Lanes, warp, *executed, active);
    if (guard.isLive) addGuarded(step, op, frame, active);
    isOfData_.back() = data != 0;
    for (const OpOperand& operand : operands) {
        if (!operand.isWritten) continue;
        Register& r = at(warp, op.at[operand.place]);
        const u32 stays = guard.isLive ? ~0u : ~active;  // lanes that may keep what they had
        r.shifted &= ~active;
        r.data = (r.data & stays) | data;
        r.ofBlock = ((r.ofBlock & stays) | ofBlock) & ~r.data;
        r.present |= active;
        r.written |= active;
        r.memoAt = 0;
    }
}

void ScriptWriter::bringSlot(u32 warp, const ElementSlot& slot, const std::byte* frame, u32 lanes) {
    if (slot.at != ElementSlot::kDiscard) bring(warp, slot.at, slot.storage, frame, lanes);
}

void ScriptWriter::memory(Kind kind, u32 warp, const Op& op, const std::byte* frame, u32 mask) {
    if (isOver()) return;
    const MemoryOperation& operation = program_.memory[op.aux];
    const Guard guard = guardOf(warp, op, frame, mask);
    if (!guard.active) return;
    const u32 active = guard.active;
    // A generic address that is known, but for a number, is one of global memory in all blocks that follow.
    const auto staysInGlobal = [&] {
        if (!operation.address64) return false;
        const std::optional<Source> source = sourceOf(warp, operation.address, true, false, frame, active);
        if (!source) return false;
        s64 least = std::numeric_limits<s64>::max(), most = 0;
        for (Lane lane : LaneMask{active}) {
            const s64 address = s64(u64(source->values[lane.value]) + u64(operation.offsetBytes));
            least = std::min(least, address), most = std::max(most, address);
        }
        constexpr s64 kFirst = s64{1} << kSlotShift, kEnd = s64{1} << 62;
        if (least < kFirst || most >= kEnd) return false;
        if (source->scalar != Scalars::kZero)
            script_->scalars.bound(source->scalar, kFirst - least, kEnd - most);
        return true;
    };
    const bool mayBeShared =
        operation.space == ptx::StateSpace::Shared ||
        (operation.space == ptx::StateSpace::Generic && program_.sharedBytes && !staysInGlobal());
    if (mayBeShared) return giveUp();
    if (!guard.isLive && accessesAt(warp, kind, op, frame, active)) return;
    if (guard.isLive) bring(warp, op.guard, Storage::Predicate, frame, active);
    if (kind == Kind::LoadIndexed) {
        bring(warp, operation.index.at, Storage::Lanes32, frame, active);
        bring(warp, operation.index.baseAt, Storage::Lanes64, frame, active);
    } else {
        bring(warp, operation.address, operation.address64 ? Storage::Lanes64 : Storage::Lanes32, frame,
              active);
    }
    const bool isLoad = operation.kind == trace::AccessKind::Load;
    const auto& results = isLoad ? operation.registers : operation.results;
    for (u32 i = 0; i < operation.elements; ++i) {
        if (!isLoad) bringSlot(warp, operation.registers[i], frame, active);
        if (guard.isLive && results[i].at != ElementSlot::kDiscard)
            keepOld(warp, results[i].at, results[i].storage, frame, active);
    }
    if (kind == Kind::Atomic) bringSlot(warp, operation.second, frame, active);
    ScriptStep& step = add(kind, warp, op, active);
    if (guard.isLive) addGuarded(step, op, frame, active);
    if (isLoad || kind == Kind::Atomic)
        for (u32 i = 0; i < operation.elements; ++i)
            if (results[i].at != ElementSlot::kDiscard) becomesData(warp, results[i].at, active);
}

const SlotState* ScriptWriter::snapshot(u32 warp, const SlotStates& slots) {
    const std::vector<SlotState>*& last = lastSlots_[warp];
    const auto isSame = [](const SlotState& a, const SlotState& b) {
        return a.mask == b.mask && a.shape == b.shape && a.lowest == b.lowest;
    };
    if (!last || !std::ranges::equal(*last, slots.slots, isSame)) {
        last = &script_->slots.emplace_back(slots.slots);
        memoBytes_ += last->size() * sizeof(SlotState);
    }
    return last->data();
}

bool ScriptWriter::isKnown(u32 warp, u32 offset, u32 mask) const {
    return !(warps_[warp].registers[offset / 4].changes() & mask);
}

void ScriptWriter::loadShared(u32 warp, const Op& op, const std::byte*, const SlotStates& slots, u32 mask) {
    if (isOver()) return;
    const MemoryOperation& operation = program_.memory[op.aux];
    if (!isKnown(warp, operation.address, mask)) return giveUp();
    add(Kind::LoadShared, warp, op, mask).slots = snapshot(warp, slots) + op.at[1];
    for (u32 i = 0; i < operation.elements; ++i)
        if (operation.registers[i].at != ElementSlot::kDiscard)
            becomesData(warp, operation.registers[i].at, mask);
}

void ScriptWriter::storeShared(u32 warp, const Op& op, const std::byte* frame, const SlotStates& slots,
                               u32 mask) {
    if (isOver()) return;
    const MemoryOperation& operation = program_.memory[op.aux];
    if (!isKnown(warp, operation.address, mask)) return giveUp();
    for (u32 i = 0; i < operation.elements; ++i)
        bringSlot(warp, operation.registers[i], frame, mask);
    add(Kind::StoreShared, warp, op, mask).slots =
        snapshot(warp, slots) + program_.groups[op.at[0]].uses[0].slot;
}

void ScriptWriter::multiplyAdd(u32 warp, const Op& op, const std::byte* frame, const SlotStates& slots,
                               u32 mask) {
    if (isOver()) return;
    const MultiplyAddOperation& operation = program_.multiplyAdds[op.aux];
    for (u32 side = 0; side < 2; ++side) {
        if (operation.sides[side].isShared) {
            if (!isKnown(warp, program_.slots[operation.sides[side].slot].at, mask)) return giveUp();
            continue;
        }
        for (const MultiplyAddOperation::Offsets& offsets : operation.offsets)
            bring(warp, u32(offsets[side]), Storage::Lanes32, frame, mask);
    }
    bring(warp, op.at[3], Storage::Lanes32, frame, mask);
    add(Kind::MultiplyAdd, warp, op, mask).slots = snapshot(warp, slots);
    // Without all lanes the steps are executed one by one, and fill the registers between.
    for (const MultiplyAddOperation::Step& step : operation.steps) {
        becomesData(warp, step.at[0], mask);
        for (u32 side = 0; side < 2; ++side)
            if (operation.sides[side].isShared) becomesData(warp, step.at[1 + side], mask);
    }
    becomesData(warp, op.at[0], mask);
}

void ScriptWriter::decide(u32 warp, const Op& op, const std::byte* frame, u32 mask) {
    if (isOver()) return;
    const Guard guard = guardOf(warp, op, frame, mask);
    if (!guard.isLive) return;
    if (at(warp, op.guard).data & mask) return giveUp();
    bring(warp, op.guard, Storage::Predicate, frame, mask);
    add(Kind::Decision, warp, op, mask).value = guarded(op, frame, mask);
    hasDecisions_ = true;
}

void ScriptWriter::other(Kind kind, u32 warp, const Op& op, const std::byte* frame, u32 mask) {
    if (isOver()) return;
    const Guard guard = guardOf(warp, op, frame, mask);
    if (!guard.active || (kind == Kind::Count && !guard.isLive)) return;
    if (guard.isLive && kind == Kind::Fence) return giveUp();  // the log of shared accesses has it
    if (guard.isLive) bring(warp, op.guard, Storage::Predicate, frame, mask);
    ScriptStep& step = add(kind, warp, op, guard.active);
    if (guard.isLive) addGuarded(step, op, frame, mask);
}

void ScriptWriter::warpsMet(u32 warp, const Op& op, u32 lanes) { add(Kind::WarpsMet, warp, op, lanes); }

void ScriptWriter::barrier() { add(Kind::Barrier, 0, program_.ops[0], 0); }

// Backward from the last decision: the steps whose results it needs.
void ScriptWriter::findDecisions() {
    std::vector<std::vector<bool>> needed(warps_.size());
    for (std::size_t warp = 0; warp < warps_.size(); ++warp)
        needed[warp].resize(warps_[warp].registers.size());
    const auto needs = [&](const ScriptStep& step, u32 offset) {
        if (offset / 4 < needed[step.warp].size()) needed[step.warp][offset / 4] = true;
    };
    std::vector<ScriptStep>& steps = script_->steps;
    for (std::size_t i = steps.size(); i-- > 0;) {
        const ScriptStep& step = steps[i];
        if (step.kind == Kind::Decision) {
            needs(step, step.op->guard);
            script_->decisions.push_back(step);
            continue;
        }
        const bool isOfLanes = step.kind == Kind::Lanes || step.kind == Kind::Divide ||
                               step.kind == Kind::Shift || step.kind == Kind::ShiftWide;
        if (!isOfLanes) continue;
        const OpOperands operands = operandsOf(program_, *step.op);
        const auto isNeeded = [&](const OpOperand& operand) {
            return operand.isWritten && needed[step.warp][step.op->at[operand.place] / 4];
        };
        if (std::ranges::none_of(operands, isNeeded)) continue;
        if (isOfData_[i]) return giveUp();
        script_->decisions.push_back(step);
        const bool replaces = step.mask == LaneMask::all().bits && !step.guarded;
        for (const OpOperand& operand : operands)
            if (replaces && operand.isWritten) needed[step.warp][step.op->at[operand.place] / 4] = false;
        for (const OpOperand& operand : operands)
            if (operand.isRead) needs(step, step.op->at[operand.place]);
        if (step.guarded) needs(step, step.op->guard);
    }
    std::ranges::reverse(script_->decisions);
    std::erase_if(steps, [](const ScriptStep& step) { return step.kind == Kind::Decision; });
}

std::unique_ptr<Script> ScriptWriter::finish(const Tally& before, const Tally& after, u64 issued) {
    if (!hasGivenUp_ && hasDecisions_) findDecisions();
    if (hasGivenUp_) return nullptr;
    if (script_->steps.size() + script_->decisions.size() > executed_) return nullptr;
    script_->counts = after;
    script_->counts.subtract(before);
    for (const Counted& counted : countedBySteps_)
        script_->counts.guardedLanes[counted.pc] -= counted.lanes;
    script_->issued = issued;
    return std::move(script_);
}

}  // namespace lockstep::simt
