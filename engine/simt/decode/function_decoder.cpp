#include "simt/decode/function_decoder.h"

#include "ptx/analysis/register_uses.h"
#include "ptx/own_location.h"
#include "ptx/specials.h"
#include "simt/decode/guessed_loads.h"
#include "simt/memory/address_space.h"
#include "simt/opcodes/lane_helpers.h"
#include "simt/opcodes/opcode_table.h"

#include <algorithm>

namespace lockstep::simt {

using ptx::Operand;

bool hasPart(std::string_view form, std::string_view part) {
    while (!form.empty()) {
        const std::size_t dot = form.find('.');
        if (form.substr(0, dot) == part) return true;
        form = dot == std::string_view::npos ? std::string_view{} : form.substr(dot + 1);
    }
    return false;
}

FunctionDecoder::FunctionDecoder(DecodeContext& context, u32 function)
    : context_(context),
      module_(context.module),
      function_(context.module.functions[function]),
      functionId_(function),
      program_(context.program),
      layout_(function_),
      guessed_(guessedLoads(module_, function_)) {
    code_.function = function;
    const u32 count = function_.end.value - function_.first.value;
    isLeader_.resize(count);
    opOf_.resize(count, kNoOp);
    for (const ptx::BasicBlock& block : function_.blocks)
        if (block.first.value < function_.end.value)
            isLeader_[block.first.value - function_.first.value] = true;
    for (u32 id = 0; id < module_.variables.size(); ++id) {
        const ptx::Variable& variable = module_.variables[id];
        if (!variable.function || variable.function->value != function) continue;
        if (variable.space == ptx::StateSpace::Local) {
            code_.localBytes =
                (code_.localBytes + variable.alignBytes - 1) / variable.alignBytes * variable.alignBytes;
            localOffsets_.emplace_back(id, code_.localBytes);
            code_.localBytes += u32(variable.sizeBytes);
        } else if (variable.space == ptx::StateSpace::Param &&
                   (!function_.isEntry || std::ranges::find(function_.parameters, ptx::VariableId{id}) ==
                                              function_.parameters.end())) {
            laneBytes_.emplace_back(id, layout_.laneBytes(u32(variable.sizeBytes)));
        }
    }
    if (!function_.isEntry) {
        for (ptx::VariableId id : function_.parameters)
            code_.parameters.push_back(*laneBytesOf(id));
        for (ptx::VariableId id : function_.results)
            code_.results.push_back(*laneBytesOf(id));
    }
}

Unexpected FunctionDecoder::unsupported(const Message& why) const {
    const ptx::Instruction& i = module_.instructions[pc_];
    // In the user's own source, not in a header.
    const ptx::Location& location = module_.locations[ptx::outermostLocation(module_, i.location)];
    SourcePlace place{module_.name, i.line, i.column};
    Message where;
    if (location.line) {
        place = {module_.files[location.file], location.line, location.column};
        where = Message(english(" (line {0} of the PTX)"), std::to_string(i.line));
    }
    Unexpected fault = fail(FaultKind::Unsupported,
                            Message(english("the emulator cannot run \"{0}\"{1}{2}; run the kernel on a GPU, "
                                            "or write it without this instruction"),
                                    i.name, where, why.empty() ? Message() : Message(english(": {0}"), why)),
                            std::move(place));
    fault.value().pc = Pc{pc_};
    return fault;
}

Op& FunctionDecoder::emit(OpKind kind) {
    Op& op = program_.ops.emplace_back();
    op.kind = kind;
    op.pc = pc_;
    op.guard = guard_;
    op.guarded = instruction_->guard.present;
    op.guardFlip = instruction_->guard.negated ? 0xffffffffu : 0;
    return op;
}

void FunctionDecoder::emitHelper(Execute execute, std::initializer_list<u32> at) {
    Op& op = emit(OpKind::Hidden);
    op.execute = execute;
    std::ranges::copy(at, op.at.begin());
}

void FunctionDecoder::beginSegment(u32 pc) {
    Op& op = program_.ops.emplace_back();
    op.kind = OpKind::Segment;
    op.pc = pc;
    op.aux = u32(program_.segments.size());
    program_.segments.push_back({pc, 0});
    segmentOpen_ = true;
}

Expected<u32> FunctionDecoder::addressConstant(ptx::VariableId variable, s64 offsetBytes, Storage storage) {
    const ptx::Variable& v = module_.variables[variable.value];
    switch (v.space) {
        case ptx::StateSpace::Shared:
            return layout_.constant(u64(context_.sharedOffsets[variable.value] + offsetBytes), storage);
        case ptx::StateSpace::Global:
        case ptx::StateSpace::Const:
            if (v.isExtern && !v.sizeBytes)
                return unsupported(Message(english("\"{0}\" is defined in another file"), v.name));
            return layout_.constant(context_.memory.addressOf(variable) + u64(offsetBytes), storage);
        case ptx::StateSpace::Local:
            for (auto [id, offset] : localOffsets_)
                if (id == variable.value && storage == Storage::Lanes64)
                    return layout_.localAddress(u32(offset + offsetBytes), false);
            return unsupported(english("the address of a local variable must be 64 bits wide"));
        case ptx::StateSpace::Param:
            for (u32 i = 0; i < context_.entry.parameters.size(); ++i)
                if (function_.isEntry && context_.entry.parameters[i] == variable)
                    return layout_.constant(context_.parameterOffsets[i] + u64(offsetBytes), storage);
            return unsupported(english("a parameter of a function has no address here"));
        default: return unsupported(Message(english("\"{0}\" has no address"), v.name));
    }
}

Expected<u32> FunctionDecoder::source(const Operand& operand, Storage storage, bool isSigned) {
    if (const auto* r = std::get_if<ptx::RegisterOperand>(&operand)) {
        reads(r->id);
        if (!r->selector.empty()) return unsupported(english("parts of registers are not read here"));
        const Storage own = layout_.storageOfRegister(r->id);
        const u32 at = layout_.registerAt(r->id);
        if (own == storage && r->negated) {
            const u32 to = layout_.scratch(Storage::Predicate);
            emitHelper(&notPredicate, {to, at});
            return to;
        }
        if (own == storage) return at;
        if (own == Storage::Lanes64 && storage == Storage::Lanes32) {
            const u32 to = layout_.scratch(storage);
            emitHelper(&narrowLanes, {to, at});
            return to;
        }
        if (own == Storage::Lanes32 && storage == Storage::Lanes64) {
            const u32 to = layout_.scratch(storage);
            emitHelper(isSigned ? &widenSignedLanes : &widenLanes, {to, at});
            return to;
        }
        return unsupported(Message(english("register {0} has another size"), layout_.registerOf(r->id).name));
    }
    if (const auto* immediate = std::get_if<ptx::ImmediateOperand>(&operand))
        return layout_.constant(immediate->bits, storage);
    if (const auto* special = std::get_if<ptx::SpecialOperand>(&operand)) {
        const Storage own =
            storageOfType(ptx::typeOf(special->special), ptx::bytesOf(ptx::typeOf(special->special)));
        if (isClock(special->special)) return unsupported(english("a clock is read by mov"));
        const u32 at = layout_.special(special->special);
        if (own == storage) return at;
        if (own == Storage::Lanes32 && storage == Storage::Lanes64) {
            const u32 to = layout_.scratch(storage);
            emitHelper(&widenLanes, {to, at});
            return to;
        }
        return unsupported(english("a special register of another size"));
    }
    if (const auto* variable = std::get_if<ptx::VariableOperand>(&operand))
        return addressConstant(variable->id, variable->offsetBytes, storage);
    if (const auto* address = std::get_if<ptx::AddressOperand>(&operand))
        if (const auto* variable = std::get_if<ptx::VariableId>(&address->base))
            return addressConstant(*variable, address->offsetBytes, storage);
    if (const auto* function = std::get_if<ptx::FunctionOperand>(&operand))
        return layout_.constant(kFunctionAddress + function->id.value, storage);
    return unsupported();
}

Expected<u32> FunctionDecoder::destination(const Operand& operand, Storage storage, bool isSigned) {
    if (std::holds_alternative<ptx::DiscardOperand>(operand)) return layout_.scratch(storage);
    const auto* r = std::get_if<ptx::RegisterOperand>(&operand);
    if (!r) return unsupported();
    writes(r->id);
    const Storage own = layout_.storageOfRegister(r->id);
    const u32 at = layout_.registerAt(r->id);
    if (own == storage) return at;
    const u32 from = layout_.scratch(storage);
    if (own == Storage::Lanes64 && storage == Storage::Lanes32)
        after_.push_back({isSigned ? &widenSignedLanes : &widenLanes, at, from});
    else if (own == Storage::Lanes32 && storage == Storage::Lanes64)
        after_.push_back({&narrowLanes, at, from});
    else
        return unsupported(Message(english("register {0} has another size"), layout_.registerOf(r->id).name));
    return from;
}

const OpcodeRow* FunctionDecoder::rowOfInstruction() const {
    const bool hasPair = !operands_.empty() && std::holds_alternative<ptx::PairOperand>(operands_[0]);
    if (hasPair)
        if (const OpcodeRow* row = findOpcode(std::string(instruction_->form) + "|q")) return row;
    return findOpcode(instruction_->form);
}

Expected<void> FunctionDecoder::decodeRow(const OpcodeRow& row) {
    std::vector<Operand> flat;
    std::size_t written = 1;
    bool hasPair = false;
    for (const Operand& operand : operands_) {
        if (const auto* pair = std::get_if<ptx::PairOperand>(&operand)) {
            flat.push_back(ptx::RegisterOperand{.id = pair->value, .selector = {}});
            flat.push_back(ptx::RegisterOperand{.id = pair->predicate, .selector = {}});
            written = 2;
            hasPair = true;
        } else {
            flat.push_back(operand);
        }
    }
    if (flat.empty() || (hasPair && row.results < 2)) return unsupported();

    std::array<u32, kMostOperands> at{};
    const bool writesCarry = instruction_->modifiers.carry;
    const bool resultIsSigned = ptx::isSigned(instruction_->types[0]);
    for (u32 i = 0; i < row.results; ++i) {
        const Storage storage = row.operands[i];
        if (i < written) {
            auto to = destination(flat[i], storage, resultIsSigned);
            if (!to) return Unexpected(to.error());
            at[i] = *to;
        } else {
            at[i] = writesCarry ? layout_.carry() : layout_.scratch(storage);
        }
    }
    for (u32 i = 0; i < row.sources; ++i) {
        const Storage storage = row.operands[row.results + i];
        const std::size_t from = written + i;
        if (from < flat.size()) {
            auto value =
                source(flat[from], storage,
                       ptx::isSigned(instruction_->types[1] == ptx::Type::None ? instruction_->types[0]
                                                                               : instruction_->types[1]));
            if (!value) return Unexpected(value.error());
            at[row.results + i] = *value;
        } else if (storage == Storage::Predicate && i + 1 == row.sources) {
            at[row.results + i] = layout_.carry();
        } else {
            return unsupported();
        }
    }
    if (written + row.sources < flat.size()) return unsupported();

    const bool isWarpSync = instruction_->modifiers.sync &&
                            ptx::opcodeTable()[instruction_->opcode].opcodeClass == ptx::OpcodeClass::Warp;
    Op& op = emit(isWarpSync                    ? OpKind::WarpSync
                  : row.dividesByZero           ? OpKind::Divide
                  : instruction_->guard.present ? OpKind::LanesGuarded
                                                : OpKind::Lanes);
    op.execute = row.execute;
    op.at = at;
    op.results = row.results;
    op.operands = u8(row.results + row.sources);
    op.aux = u32(program_.rows.size());
    program_.rows.push_back(&row);
    if (isWarpSync) endSegment();
    return {};
}

// Stays as an instruction that writes its results, whose values are unknown.
void FunctionDecoder::leaveOut(std::size_t firstOp) {
    program_.ops.resize(firstOp);
    after_.clear();
    uses_.back().reads.clear(), uses_.back().writes.clear();
    if (instruction_->guard.present) reads(instruction_->guard.predicate);
    ptx::forEachWritten(module_, *instruction_, [&](ptx::RegisterId id) { writes(id); });
    emit(OpKind::Nothing);
    endSegment();
}

Expected<void> FunctionDecoder::decodeInstruction(Pc pc) {
    pc_ = pc.value;
    instruction_ = &module_.instructions[pc_];
    operands_ = module_.operandsOf(*instruction_);
    uses_.push_back({pc_, instruction_->guard.present, {}, {}});
    guard_ =
        instruction_->guard.present ? layout_.registerAt(instruction_->guard.predicate) : layout_.allTrue();
    if (instruction_->guard.present) reads(instruction_->guard.predicate);

    const u32 local = pc_ - function_.first.value;
    opOf_[local] = u32(program_.ops.size());
    if (isLeader_[local] || !segmentOpen_) beginSegment(pc_);
    ++program_.segments.back().instructions;

    const std::size_t firstOp = program_.ops.size();
    const std::string_view name = ptx::opcodeTable()[instruction_->opcode].name;
    const auto own = std::ranges::find(machineRows(), name, &MachineRow::name);
    Expected<void> done;
    if (const std::size_t with = instruction_->form.find(ptx::kWithSpecial); with != std::string_view::npos) {
        done = unsupported(Message(english("the special register {0} is not supported"),
                                   instruction_->form.substr(with + ptx::kWithSpecial.size())));
    } else if (own != machineRows().end()) {
        done = (this->*own->decode)();
    } else if (const OpcodeRow* row = rowOfInstruction()) {
        done = decodeRow(*row);
    } else {
        done = unsupported();
    }
    if (!done && context_.missing == Missing::Refused) return done;
    if (!done) leaveOut(firstOp);

    // cvt to a signed type narrower than its 32-bit register extends the sign.
    if (done && name == "cvt" && ptx::isSigned(instruction_->types[0]) &&
        ptx::bytesOf(instruction_->types[0]) < 4)
        if (const auto* r = std::get_if<ptx::RegisterOperand>(&operands_[0]);
            r && layout_.storageOfRegister(r->id) == Storage::Lanes32 &&
            ptx::bytesOf(layout_.registerOf(r->id).type) == 4)
            emitHelper(&extendSign, {layout_.registerAt(r->id), ptx::bytesOf(instruction_->types[0]) * 8});
    for (const After& helper : after_)
        emitHelper(helper.execute, {helper.to, helper.from});
    after_.clear();
    layout_.releaseScratch();
    return {};
}

Expected<void> FunctionDecoder::decode() {
    code_.firstOp = u32(program_.ops.size());
    firstBranch_ = program_.branches.size();
    firstIndexedBranch_ = program_.indexedBranches.size();
    firstCall_ = program_.calls.size();
    for (u32 pc = function_.first.value; pc < function_.end.value; ++pc)
        if (Expected<void> done = decodeInstruction(Pc{pc}); !done) return done;
    // A function whose last instruction is not a ret still ends there.
    Op& last = program_.ops.emplace_back();
    last.kind = OpKind::Return;
    last.pc = kNoPc.value;
    last.guard = layout_.allTrue();
    patchBranches();
    findClearedRegisters();
    findUnusedResults();
    code_.firstPc = function_.first.value;
    for (const Use& use : uses_) {
        RegisterUse& offsets = code_.uses.emplace_back();
        for (u32 r : use.reads)
            offsets.reads.push_back(layout_.registerAt(ptx::RegisterId{r}));
        for (u32 r : use.writes)
            offsets.writes.push_back(layout_.registerAt(ptx::RegisterId{r}));
    }
    layout_.finish(code_);
    program_.functions[context_.codeOf[functionId_]] = std::move(code_);
    return {};
}

void FunctionDecoder::patchBranches() {
    const auto opAt = [&](u32 pc) {
        return pc == kNoOp                 ? kNoOp
               : pc >= function_.end.value ? u32(program_.ops.size() - 1)
                                           : opOf_[pc - function_.first.value];
    };
    const auto meetAt = [&](u32 pc) {
        const u32 op = opAt(pc);
        if (op != kNoOp && program_.ops[op].kind == OpKind::Segment) program_.ops[op].kind = OpKind::Meeting;
        return op;
    };
    for (std::size_t i = firstBranch_; i < program_.branches.size(); ++i) {
        BranchOperation& branch = program_.branches[i];
        branch.target = opAt(branch.target);
        branch.reconvergence = meetAt(branch.reconvergence);
    }
    for (std::size_t i = firstIndexedBranch_; i < program_.indexedBranches.size(); ++i) {
        IndexedBranchOperation& branch = program_.indexedBranches[i];
        for (u32& target : branch.targets)
            target = opAt(target);
        branch.reconvergence = meetAt(branch.reconvergence);
    }
    for (std::size_t i = firstCall_; i < program_.calls.size(); ++i)
        program_.calls[i].next =
            program_.calls[i].indirect ? meetAt(program_.calls[i].next) : opAt(program_.calls[i].next);
    for (std::size_t i = code_.firstOp; i < program_.ops.size(); ++i)
        if (Op& op = program_.ops[i]; op.kind == OpKind::Segment || op.kind == OpKind::Meeting)
            op.at[0] = program_.segments[op.aux].instructions;
}

// Registers that some path through the function reads before writing: liveness, backward over the blocks to a
// fixed point.
void FunctionDecoder::findClearedRegisters() {
    const std::size_t registers = function_.registers.size(), blocks = function_.blocks.size();
    if (!blocks) return;
    // A bit each, 64 a word: what a block reads before it writes it, what it writes, what is live before it.
    const std::size_t words = (registers + 63) / 64;
    std::vector<u64> reads(blocks * words), writes(blocks * words), liveIn(blocks * words);
    for (std::size_t b = 0; b < blocks; ++b) {
        const ptx::BasicBlock& block = function_.blocks[b];
        u64 *const read = &reads[b * words], *const written = &writes[b * words];
        for (u32 pc = block.end.value; pc-- > block.first.value;) {
            const Use& use = uses_[pc - function_.first.value];
            if (!use.guarded)
                for (u32 r : use.writes) {
                    written[r / 64] |= u64{1} << r % 64;
                    read[r / 64] &= ~(u64{1} << r % 64);
                }
            for (u32 r : use.reads)
                read[r / 64] |= u64{1} << r % 64;
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t b = blocks; b-- > 0;)
            for (std::size_t w = 0; w < words; ++w) {
                u64 live = 0;
                for (u32 successor : function_.blocks[b].successors)
                    if (successor < blocks) live |= liveIn[successor * words + w];
                live = (live & ~writes[b * words + w]) | reads[b * words + w];
                changed |= live != liveIn[b * words + w];
                liveIn[b * words + w] = live;
            }
    }
    for (u32 r = 0; r < registers; ++r)
        if (liveIn[r / 64] >> r % 64 & 1)
            code_.clearedAtStart.push_back({layout_.registerAt(ptx::RegisterId{r}),
                                            bytesOfStorage(layout_.storageOfRegister(ptx::RegisterId{r}))});
}

// An atomic whose old value is never read is a reduction, as it is for ptxas.
void FunctionDecoder::findUnusedResults() {
    std::vector<bool> read(function_.registers.size());
    for (const Use& use : uses_)
        for (u32 r : use.reads)
            read[r] = true;
    for (auto [operation, registers] : atomicResults_) {
        if (std::ranges::any_of(registers, [&](u32 r) { return read[r]; })) continue;
        MemoryOperation& memory = program_.memory[operation];
        memory.kind = trace::AccessKind::Reduction;
        program_.sites[memory.site].kind = trace::AccessKind::Reduction;
    }
}

}  // namespace lockstep::simt
