#include "simt/accelerate.h"

#include "base/check.h"
#include "ptx/opcodes.h"
#include "simt/opcodes/opcode_table.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace lockstep::simt {
namespace {

class Accelerator {
public:
    explicit Accelerator(const Program& plain) : plain_(plain), out_(plain), entry_(plain.functions[0]) {
        end_ = entry_.firstOp;
        while (end_ < plain.ops.size() && plain.ops[end_].pc != kNoPc.value)
            ++end_;
        ++end_;  // the return after the last instruction
    }

    Program run() {
        countUses();
        findSlots();
        findUniform();
        findInvariant();
        out_.ops.clear();
        newIndex_.assign(plain_.ops.size(), kNoOp);
        for (u32 op = 0; op < plain_.ops.size();) {
            const bool isOfEntry = op >= entry_.firstOp && op < end_;
            const bool endsKnown = isOfEntry && (isSegment(op) || at(op).pc == kNoPc.value ||
                                                 known_ == kMostKnown || findFusion(op));
            if (known_ && endsKnown) emitKnown(op);
            newIndex_[op] = u32(out_.ops.size());
            if (!isOfEntry) {
                out_.ops.push_back(plain_.ops[op++]);
                continue;
            }
            if (!isSegment(op) && isInvariant_[op]) {
                out_.prologue.push_back(at(op++));
                ++known_;
                continue;
            }
            const std::size_t before = out_.ops.size();
            op = rewrite(op);
            noteKnown(before);
        }
        closeGroup();
        for (const Detour& detour : detours_)
            emitDetour(detour);
        moveTargets();
        numberNotes();
        out_.isAccelerated = true;
        return std::move(out_);
    }

private:
    // Fallback if a group cannot run: the plain instructions from `first` up to `end`, then back.
    struct Detour {
        u32 group = 0 /* op */, first = 0, end = 0;
    };
    // A load that can be fused into a multiply-add.
    struct Fusion {
        u32 loads[2] = {kNoOp, kNoOp}, multiplyAdd = kNoOp, end = kNoOp;
    };

    const Op& at(u32 op) const { return plain_.ops[op]; }
    const RegisterUse* useOf(u32 op) const {
        const u32 pc = at(op).pc;
        return pc - entry_.firstPc < entry_.uses.size() ? &entry_.uses[pc - entry_.firstPc] : nullptr;
    }
    bool isSegment(u32 op) const { return at(op).kind == OpKind::Segment || at(op).kind == OpKind::Meeting; }
    // After the ops of the same instruction.
    u32 endOfInstruction(u32 op) const {
        u32 end = op + 1;
        while (end < end_ && at(end).pc == at(op).pc && !isSegment(end))
            ++end;
        return end;
    }

    void countUses() {
        for (const RegisterUse& use : entry_.uses) {
            for (u32 read : use.reads)
                ++reads_[read];
            for (u32 written : use.writes)
                ++writes_[written];
        }
        for (const FunctionCode::Range& cleared : entry_.clearedAtStart)
            ++writes_[cleared.at];
    }

    // One unguarded op on words or vectors of words, weak or volatile: nothing depends on when exactly others
    // see it.
    const MemoryOperation* sharedAccess(u32 op, OpKind kind) const {
        if (at(op).kind != kind || at(op).guarded || endOfInstruction(op) != op + 1) return nullptr;
        const MemoryOperation& operation = plain_.memory[at(op).aux];
        const u32 width = operation.widthBytes();
        const bool isUsual = operation.space == ptx::StateSpace::Shared &&
                             operation.strength.ordering <= trace::Ordering::Volatile &&
                             (width & (width - 1)) == 0 && width <= 16 &&
                             operation.offsetBytes % width == 0 && operation.offsetBytes > -(s64{1} << 30) &&
                             operation.offsetBytes < s64{1} << 30;
        return isUsual ? &operation : nullptr;
    }
    bool isGlobalLoad(u32 op) const { return isGlobalAccess(op, OpKind::Load); }
    bool isGlobalAccess(u32 op, OpKind kind) const {
        if (at(op).kind != kind || at(op).guarded || endOfInstruction(op) != op + 1) return false;
        const MemoryOperation& operation = plain_.memory[at(op).aux];
        return operation.space == ptx::StateSpace::Global &&
               operation.strength.ordering == trace::Ordering::Weak && operation.address64;
    }

    bool isWholeSync(u32 op) const {
        if (at(op).kind != OpKind::BlockBarrier || at(op).guarded || endOfInstruction(op) != op + 1)
            return false;
        const BarrierOperation& operation = plain_.barriers[at(op).aux];
        return operation.kind == BarrierOperation::Kind::Sync && !operation.hasCount;
    }

    void findSlots() {
        for (u32 op = entry_.firstOp; op < end_; ++op)
            for (OpKind kind : {OpKind::Load, OpKind::Store})
                if (const MemoryOperation* operation = sharedAccess(op, kind);
                    operation && slots_.try_emplace(operation->address, u32(out_.slots.size())).second)
                    out_.slots.push_back({operation->address, operation->address64, {}});
    }

    // Registers that hold the same value in all lanes wherever a whole warp reads them: kernel parameters,
    // and values computed once from them.
    void findUniform() {
        uniform_.insert(entry_.constants.begin(), entry_.constants.end());
        for (bool grows = true; grows;) {
            grows = false;
            for (u32 op = entry_.firstOp; op < end_; ++op) {
                const RegisterUse* use = isSegment(op) ? nullptr : useOf(op);
                if (!use || at(op).guarded || endOfInstruction(op) != op + 1 || !isOfUniform(at(op)))
                    continue;
                for (u32 written : use->writes)
                    grows |= writes_.at(written) == 1 && uniform_.insert(written).second;
            }
        }
    }
    bool isOfUniform(const Op& op) const {
        if (op.kind == OpKind::Load)
            return plain_.memory[op.aux].space == ptx::StateSpace::Param &&
                   uniform_.contains(plain_.memory[op.aux].address);
        return isOfOnly(uniform_, op);
    }

    // ---- What is the same in every block: computed from constants and the thread's own coordinates, written
    // once and nowhere else, and never read before. It is computed when the warp's frame is made; steps are
    // recorded as ever.
    void findInvariant() {
        std::set<u32> known(entry_.constants.begin(), entry_.constants.end());
        for (const SpecialSlot& special : entry_.specials)
            if (!special.changesWithBlock) known.insert(special.at);
        isInvariant_.assign(end_, false);
        // In program order: what is defined later in the text is not known yet, and stays as it is.
        for (u32 op = entry_.firstOp; op < end_;) {
            const u32 end = isSegment(op) ? op + 1 : endOfInstruction(op);
            const RegisterUse* use = isSegment(op) ? nullptr : useOf(op);
            const bool isWrittenOnce =
                use && std::ranges::all_of(use->writes, [&](u32 w) { return writes_.at(w) == 1; });
            // The hidden carry flag is a result that is no register, and written by others.
            const bool isOfKnown = isWrittenOnce && !use->writes.empty() && end == op + 1 &&
                                   !at(op).guarded && at(op).results == use->writes.size() &&
                                   isOfOnly(known, at(op));
            if (isOfKnown) {
                isInvariant_[op] = true;
                known.insert(use->writes.begin(), use->writes.end());
            }
            op = end;
        }
    }
    // A function of these registers, lane by lane, and of nothing else: not of a call's bytes, nor of who is
    // active.
    bool isOfOnly(const std::set<u32>& registers, const Op& op) const {
        return op.kind == OpKind::Lanes && op.operands > op.results &&
               ptx::opcodeTable()[plain_.module->at(Pc{op.pc}).opcode].opcodeClass !=
                   ptx::OpcodeClass::Warp &&
               std::ranges::all_of(std::span(op.at).subspan(op.results, op.operands - op.results),
                                   [&](u32 source) { return registers.contains(source); });
    }
    // The first op of those from `first` on that is an instruction, or begins a group of them, records the
    // known ones before it.
    void noteKnown(std::size_t first) {
        if (!known_) return;
        for (std::size_t i = first; i < out_.ops.size(); ++i)
            switch (out_.ops[i].kind) {
                case OpKind::Hidden:
                case OpKind::Jump:
                case OpKind::Forget: break;
                default: out_.ops[i].knownBefore = u8(std::exchange(known_, 0)); return;
            }
        CHECK(false, "every instruction is an op");
    }
    // The known ones before `op`, by themselves.
    void emitKnown(u32 op) {
        const std::size_t before = out_.ops.size();
        out_.ops.emplace_back(at(op - 1)).kind = OpKind::Known;
        --known_;
        noteKnown(before);
    }

    // mul.wide, add and a load: the pattern of an array-element read. nullptr: something else begins at `op`.
    struct IndexedForm {
        const OpcodeRow *multiply, *add, *both;
        bool isSigned;
    };
    const IndexedForm* indexedLoadAt(u32 op) const {
        static const IndexedForm kForms[]{
            {findOpcode("mul.wide.s32"), findOpcode("add.s64"), findOpcode("mad.wide.s32"), true},
            {findOpcode("mul.wide.u32"), findOpcode("add.s64"), findOpcode("mad.wide.u32"), false}};
        const auto isLanes = [&](u32 i, const OpcodeRow* row) {
            return i < end_ && !isSegment(i) && at(i).kind == OpKind::Lanes &&
                   at(i).execute == row->execute && endOfInstruction(i) == i + 1;
        };
        const auto isReadOnce = [&](u32 written) {
            const auto read = reads_.find(written);
            return read != reads_.end() && read->second == 1;
        };
        for (const IndexedForm& form : kForms) {
            if (!isLanes(op, form.multiply) || !isLanes(op + 1, form.add) || op + 2 >= end_ ||
                isSegment(op + 2) || !isGlobalLoad(op + 2))
                continue;
            const u32 product = at(op).at[0], address = at(op + 1).at[0];
            if (plain_.memory[at(op + 2).aux].address != address || !isReadOnce(product) ||
                !isReadOnce(address))
                continue;
            const u32 base = baseOf(op);
            if (base != product && uniform_.contains(base) &&
                std::ranges::find(entry_.constants, at(op).at[2]) != entry_.constants.end())
                return &form;
        }
        return nullptr;
    }
    // The addend of the addition that follows the multiplication at `op`.
    u32 baseOf(u32 op) const { return at(op + 1).at[at(op + 1).at[1] == at(op).at[0] ? 2 : 1]; }
    void emitIndexedLoad(u32 op, const IndexedForm& form) {
        const u32 index = at(op).at[1], scaleAt = at(op).at[2], base = baseOf(op);
        Op& load = out_.ops.emplace_back(at(op + 2));
        MemoryOperation& operation = out_.memory[load.aux];
        load.kind = OpKind::GlobalLoadIndexed;
        load.execute = form.both->execute;
        load.at = {operation.address, index, scaleAt, base};
        operation.index = {.at = index, .baseAt = base, .isSigned = form.isSigned};
        std::memcpy(&operation.index.scale, entry_.initialFrame.data() + scaleAt,
                    sizeof operation.index.scale);
        for (u32 i = op; i < op + 3; ++i)
            afterInstruction(i);
    }

    // Returns the first plain op that is not yet rewritten.
    u32 rewrite(u32 op) {
        if (isSegment(op)) {
            closeGroup();
            out_.ops.push_back(at(op));
            return op + 1;
        }
        if (const std::optional<Fusion> fusion = findFusion(op)) return emitMultiplyAdd(op, *fusion);
        if (sharedAccess(op, OpKind::Load)) {
            const u32 use = joinGroup(op);
            Op& load = out_.ops.emplace_back(at(op));
            const MemoryOperation& operation = plain_.memory[load.aux];
            load.kind = OpKind::SharedLoad;
            load.at[0] = operation.registers[0].at;
            load.at[1] = out_.groups[group_].uses[use].slot;
            closing_ = op + 1;
            afterInstruction(op);
            return op + 1;
        }
        if (sharedAccess(op, OpKind::Store)) {
            closeGroup();
            Op& store = out_.ops.emplace_back(at(op));
            store.kind = OpKind::SharedStore;
            store.at[0] = u32(out_.groups.size());
            out_.groups.emplace_back();
            addMember(out_.groups.back(), op);
            return op + 1;
        }
        if (const IndexedForm* form = indexedLoadAt(op)) {
            emitIndexedLoad(op, *form);
            return op + 3;
        }
        if (isGlobalLoad(op)) {
            out_.ops.emplace_back(at(op)).kind = OpKind::GlobalLoad;
            afterInstruction(op);
            return op + 1;
        }
        if (isGlobalAccess(op, OpKind::Store)) {
            out_.ops.emplace_back(at(op)).kind = OpKind::GlobalStore;
            return op + 1;
        }
        const u32 end = endOfInstruction(op);
        if (!mayStandInGroup(op)) closeGroup();
        if (isWholeSync(op)) {
            out_.ops.emplace_back(at(op)).kind = OpKind::WholeSync;
            return end;
        }
        for (u32 i = op; i < end; ++i) {
            if (i > op) newIndex_[i] = u32(out_.ops.size());
            out_.ops.push_back(at(i));
        }
        afterInstruction(op);
        return end;
    }

    // Affects neither shared memory nor the path.
    bool mayStandInGroup(u32 op) const {
        switch (at(op).kind) {
            case OpKind::Hidden:
            case OpKind::Lanes:
            case OpKind::LanesGuarded:
            case OpKind::Divide:
            case OpKind::Nothing: return true;
            case OpKind::Load:
            case OpKind::Store: {
                const ptx::StateSpace space = plain_.memory[at(op).aux].space;
                return space != ptx::StateSpace::Shared && space != ptx::StateSpace::Generic;
            }
            default: return false;
        }
    }

    void afterInstruction(u32 op) {
        const RegisterUse* use = useOf(op);
        if (!use) return;
        for (u32 written : use->writes) {
            if (group_ != kNoOp) writtenInGroup_.insert(written);
            if (const auto slot = slots_.find(written); slot != slots_.end()) {
                Op& forget = out_.ops.emplace_back();
                forget.kind = OpKind::Forget;
                forget.aux = slot->second;
                forget.pc = at(op).pc;
            }
        }
    }

    // ---- Groups
    u32 joinGroup(u32 op) {
        const MemoryOperation& operation = plain_.memory[at(op).aux];
        if (group_ != kNoOp && writtenInGroup_.contains(operation.address)) closeGroup();
        if (group_ == kNoOp) {
            group_ = u32(out_.groups.size());
            out_.groups.emplace_back();
            writtenInGroup_.clear();
            detours_.push_back({.group = u32(out_.ops.size()), .first = op});
            Op& start = out_.ops.emplace_back();
            start.kind = OpKind::SharedGroup;
            start.aux = group_;
            start.pc = at(op).pc;
        }
        return addMember(out_.groups[group_], op);
    }
    u32 addMember(SharedGroup& group, u32 op) {
        const MemoryOperation& operation = plain_.memory[at(op).aux];
        const u32 slot = slots_.at(operation.address);
        auto use = std::ranges::find(group.uses, slot, &SharedGroup::Use::slot);
        if (use == group.uses.end())
            use = group.uses.insert(use, {.slot = slot,
                                          .least = operation.offsetBytes,
                                          .end = operation.offsetBytes,
                                          .from = 0,
                                          .to = s64(plain_.sharedBytes)});
        use->least = std::min(use->least, operation.offsetBytes);
        use->end = std::max(use->end, operation.offsetBytes + s64(operation.widthBytes()));
        use->misaligned |= operation.widthBytes() - 1;
        if (operation.array != MemoryOperation::kNoArray) {
            const SharedArray& array = plain_.sharedArrays[operation.array];
            use->from = std::max(use->from, s64(array.offsetBytes));
            use->to = std::min(use->to, s64(array.offsetBytes + array.sizeBytes));
        }
        group.members.push_back({at(op).aux, u32(use - group.uses.begin()), at(op).pc});
        return group.members.back().use;
    }
    void closeGroup() {
        if (group_ == kNoOp) return;
        group_ = kNoOp;
        detours_.back().end = closing_;
    }
    void emitDetour(const Detour& detour) {
        out_.ops[detour.group].at[0] = u32(out_.ops.size());
        for (u32 op = detour.first; op < detour.end;) {
            const u32 end = endOfInstruction(op);
            out_.ops.insert(out_.ops.end(), plain_.ops.begin() + op, plain_.ops.begin() + end);
            afterInstruction(op);
            op = end;
        }
        Op& back = out_.ops.emplace_back();
        back.kind = OpKind::Jump;
        back.at[0] = newIndex_[detour.end];
    }

    void numberNotes() {
        for (u32 number = 0; number < out_.groups.size(); ++number) {
            SharedGroup& group = out_.groups[number];
            group.noteAt = out_.noteWords;
            out_.noteWords += group.noteWords();
            for (const SharedGroup::Use& use : group.uses)
                out_.slots[use.slot].groups.push_back(number);
        }
    }

    // ---- Multiply-adds
    std::optional<Fusion> findFusion(u32 op) const {
        Fusion fusion;
        u32 loads = 0, next = op;
        for (; loads < 2 && next < end_ && !isSegment(next) && sharedAccess(next, OpKind::Load); ++next)
            fusion.loads[loads++] = next;
        for (; loads; --loads, --next) {
            if (isMultiplyAddOf(next, fusion, loads)) {
                fusion.multiplyAdd = next;
                fusion.end = next + 1;
                if (loads == 1) fusion.loads[1] = kNoOp;
                return fusion;
            }
        }
        return {};
    }
    bool isMultiplyAddOf(u32 op, const Fusion& fusion, u32 loads) const {
        static const OpcodeRow* const row = findOpcode("fma.rn.f32");
        if (op >= end_ || isSegment(op) || at(op).kind != OpKind::Lanes || at(op).execute != row->execute ||
            endOfInstruction(op) != op + 1)
            return false;
        for (u32 i = 0; i < loads; ++i) {
            const MemoryOperation& operation = plain_.memory[at(fusion.loads[i]).aux];
            const ElementSlot& to = operation.registers[0];
            const bool isFactor = (to.at == at(op).at[1]) != (to.at == at(op).at[2]);
            const auto read = reads_.find(to.at);
            if (operation.elements != 1 || !to.loadsWords || to.storage != Storage::Lanes32 || !isFactor ||
                read == reads_.end() || read->second != 1)
                return false;
            for (u32 other = 0; other < loads; ++other)  // neither the other's result nor its address
                if (other != i && (plain_.memory[at(fusion.loads[other]).aux].registers[0].at == to.at ||
                                   plain_.memory[at(fusion.loads[other]).aux].address == to.at))
                    return false;
        }
        return true;
    }
    u32 emitMultiplyAdd(u32 op, const Fusion& fusion) {
        const Op plain = at(fusion.multiplyAdd);
        // Both loads must be of one group, so that the group is checked before either.
        if (fusion.loads[1] != kNoOp && group_ != kNoOp)
            for (u32 load : fusion.loads)
                if (writtenInGroup_.contains(plain_.memory[at(load).aux].address)) {
                    closeGroup();
                    break;
                }
        const u32 groupBefore = group_;
        std::array<MultiplyAddOperation::Side, 2> sides;
        MultiplyAddOperation::Step step;
        step.at = plain.at;
        step.pc = plain.pc;
        MultiplyAddOperation::Offsets offsets{plain.at[1], plain.at[2]};
        for (u32 load : fusion.loads) {
            if (load == kNoOp) continue;
            const MemoryOperation& memory = plain_.memory[at(load).aux];
            const u32 use = joinGroup(load), side = memory.registers[0].at == plain.at[1] ? 0 : 1;
            sides[side] = {true, out_.groups[group_].uses[use].slot};
            offsets[side] = memory.offsetBytes;
            step.loads[step.loadCount++] = {at(load).aux, sides[side].slot, at(load).pc};
        }
        if (groupBefore == group_ && continuesChain(sides, plain)) {
            out_.ops.back().at[0] = plain.at[0];
        } else {
            Op& fused = out_.ops.emplace_back(plain);
            fused.kind = OpKind::MultiplyAdd;
            fused.aux = u32(out_.multiplyAdds.size());
            out_.multiplyAdds.push_back({sides, {}, {}});
        }
        out_.multiplyAdds.back().steps.push_back(step);
        out_.multiplyAdds.back().offsets.push_back(offsets);
        closing_ = fusion.end;
        for (u32 i = op; i < fusion.end; ++i)
            afterInstruction(i);
        return fusion.end;
    }

    // The previous op is a multiply-add whose result only this one uses.
    bool continuesChain(const std::array<MultiplyAddOperation::Side, 2>& sides, const Op& plain) const {
        const Op& before = out_.ops.back();
        if (before.kind != OpKind::MultiplyAdd || out_.multiplyAdds.back().sides != sides ||
            before.at[0] != plain.at[3])
            return false;
        const auto read = reads_.find(plain.at[3]);
        return read->second == 1 || plain.at[0] == plain.at[3];
    }

    void moveTargets() {
        const auto move = [&](u32& op) {
            if (op != kNoOp) op = newIndex_[op];
        };
        for (BranchOperation& branch : out_.branches)
            move(branch.target), move(branch.reconvergence);
        for (IndexedBranchOperation& branch : out_.indexedBranches) {
            for (u32& target : branch.targets)
                move(target);
            move(branch.reconvergence);
        }
        for (CallOperation& call : out_.calls)
            move(call.next);
        for (FunctionCode& code : out_.functions)
            move(code.firstOp);
    }

    const Program& plain_;
    Program out_;
    const FunctionCode& entry_;
    u32 end_ = 0;
    std::map<u32, u32> reads_, writes_, slots_;  // by frame offset
    std::set<u32> uniform_;                      // frame offsets
    std::vector<bool> isInvariant_;              // by plain op, all of its instruction
    static constexpr u32 kMostKnown = 255;
    u32 known_ = 0;                    // instructions passed over since the last op
    std::vector<u32> newIndex_;        // by plain op
    u32 group_ = kNoOp, closing_ = 0;  // the open group; after its last instruction
    std::set<u32> writtenInGroup_;
    std::vector<Detour> detours_;
};

}  // namespace

Program accelerate(const Program& plain) { return Accelerator(plain).run(); }

}  // namespace lockstep::simt
