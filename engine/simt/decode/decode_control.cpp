// Branches, calls, barriers, and instructions without effect here.
#include "simt/decode/function_decoder.h"
#include "simt/decode/math_functions.h"
#include "simt/memory/kernel_heap.h"
#include "simt/opcodes/opcode_table.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace lockstep::simt {

using ptx::Operand;
using ptx::StateSpace;

// Where the paths of the branch reconverge. A block that only ends the thread is no reconvergence point:
// lanes that return early exit (ptxas makes an exit of such a branch) and do not wait for the others.
u32 FunctionDecoder::reconvergence() const {
    const Pc pc = module_.reconvergence(Pc{pc_});
    if (pc == kNoPc) return kNoOp;
    const ptx::Instruction& first = module_.instructions[pc.value];
    const std::string_view name = ptx::opcodeTable()[first.opcode].name;
    if ((name == "ret" || name == "exit") && !first.guard.present) return kNoOp;
    return pc.value;
}

namespace {

// Of the blocks of a function, those on a way from one to another; none: there is no way.
std::vector<bool> blocksBetween(std::span<const ptx::BasicBlock> blocks, std::size_t from, std::size_t to) {
    std::vector<bool> reaching(blocks.size());
    reaching[to] = true;
    const auto leadsThere = [&](const ptx::BasicBlock& block) {
        return std::ranges::any_of(block.successors,
                                   [&](u32 next) { return next < blocks.size() && reaching[next]; });
    };
    for (bool goesOn = true; std::exchange(goesOn, false);)
        for (std::size_t b = blocks.size(); b-- > 0;)
            if (!reaching[b] && leadsThere(blocks[b])) reaching[b] = goesOn = true;
    std::vector<bool> between(blocks.size());
    std::vector<std::size_t> left;
    if (reaching[from]) between[from] = true, left.push_back(from);
    while (!left.empty()) {
        const std::size_t b = left.back();
        left.pop_back();
        for (u32 next : blocks[b].successors)
            if (next < blocks.size() && reaching[next] && !between[next])
                between[next] = true, left.push_back(next);
    }
    return between;
}

}  // namespace

// The code in between may wait for another thread: it reads what others write, or sleeps. What leads to the
// branch and is not done again after it does not count.
bool FunctionDecoder::spins(u32 fromPc, u32 toPc) const {
    const std::span<const ptx::BasicBlock> blocks = function_.blocks;
    const auto blockOf = [&](u32 pc) {
        const auto after =
            std::ranges::upper_bound(blocks, pc, {}, [](const ptx::BasicBlock& b) { return b.first.value; });
        return std::size_t(after - blocks.begin()) - 1;
    };
    const std::vector<bool> again = blocksBetween(blocks, blockOf(fromPc), blockOf(toPc));
    for (u32 pc = fromPc; pc <= toPc; ++pc) {
        if (!again[blockOf(pc)]) continue;
        const ptx::Instruction& i = module_.instructions[pc];
        const std::string_view name = ptx::opcodeTable()[i.opcode].name;
        const auto ordering = i.modifiers.ordering;
        const bool isStrong = ordering != ptx::Ordering::None && ordering != ptx::Ordering::Weak;
        if (name == "atom" || name == "call" || name == "nanosleep" ||
            (name == "ld" && isStrong && i.modifiers.space != StateSpace::Local) ||
            (name == "mbarrier" && (hasPart(i.form, "test_wait") || hasPart(i.form, "try_wait"))))
            return true;
    }
    return false;
}

Expected<void> FunctionDecoder::decodeBranch() {
    const auto* label = operands_.empty() ? nullptr : std::get_if<ptx::LabelOperand>(&operands_[0]);
    if (!label) return unsupported();
    BranchOperation branch{
        .target = label->target.value, .reconvergence = kNoOp, .backward = label->target.value <= pc_};
    if (instruction_->guard.present) branch.reconvergence = reconvergence();
    if (branch.backward) branch.spins = spins(label->target.value, pc_);
    Op& op = emit(OpKind::Branch);
    op.aux = u32(program_.branches.size());
    program_.branches.push_back(branch);
    endSegment();
    return {};
}

Expected<void> FunctionDecoder::decodeIndexedBranch() {
    IndexedBranchOperation branch;
    const auto* list = operands_.size() == 2 ? std::get_if<ptx::VectorOperand>(&operands_[1]) : nullptr;
    if (!list) return unsupported();
    for (const Operand& element : list->elements) {
        const auto* label = std::get_if<ptx::LabelOperand>(&element);
        if (!label) return unsupported();
        branch.targets.push_back(label->target.value);
    }
    branch.reconvergence = reconvergence();
    auto index = source(operands_[0], Storage::Lanes32);
    if (!index) return Unexpected(index.error());
    Op& op = emit(OpKind::BranchIndexed);
    op.at[0] = *index;
    op.aux = u32(program_.indexedBranches.size());
    program_.indexedBranches.push_back(std::move(branch));
    endSegment();
    return {};
}

Expected<void> FunctionDecoder::decodeCall() {
    CallOperation call;
    const auto isCallee = [](const Operand& operand) {
        return std::holds_alternative<ptx::FunctionOperand>(operand) ||
               std::holds_alternative<ptx::RegisterOperand>(operand);
    };
    const auto callee = std::ranges::find_if(operands_, isCallee);
    if (callee == operands_.end()) return unsupported();
    const auto lists = [&](auto from, auto to, std::vector<LaneBytes>& bytes) -> Expected<void> {
        for (auto operand = from; operand != to; ++operand) {
            const auto* vector = std::get_if<ptx::VectorOperand>(&*operand);
            if (!vector) continue;  // the prototype of an indirect call
            for (const Operand& element : vector->elements) {
                const auto* variable = std::get_if<ptx::VariableOperand>(&element);
                const LaneBytes* place = variable ? laneBytesOf(variable->id) : nullptr;
                if (!place) return unsupported(english("arguments that are not .param variables"));
                bytes.push_back(*place);
            }
        }
        return {};
    };
    if (auto done = lists(operands_.begin(), callee, call.results); !done) return done;
    if (auto done = lists(callee + 1, operands_.end(), call.arguments); !done) return done;

    if (const auto* function = std::get_if<ptx::FunctionOperand>(&*callee)) {
        const ptx::Function& target = module_.functions[function->id.value];
        if (target.isDeclaration) {
            if (target.name == "vprintf")
                call.builtin = Builtin::Printf;
            else if (target.name == "__assertfail")
                call.builtin = Builtin::AssertFail;
            else if (heapCallOf(target) == HeapCall::Allocate && !call.results.empty() &&
                     !call.arguments.empty())
                call.builtin = Builtin::Malloc;
            else if (heapCallOf(target) == HeapCall::Free && !call.arguments.empty())
                call.builtin = Builtin::Free;
            else if (const MathFunction* known = findMathFunction(target.name))
                call.builtin = Builtin::Mathematics, call.mathematics = known;
            else
                return unsupported(
                    Message(english("it calls \"{0}\", which the emulator does not have"), target.name));
            program_.mustRunInOrder |= call.builtin != Builtin::Mathematics;  // the others print, or allocate
        } else {
            call.function = context_.codeOf[function->id.value];
        }
    } else {
        auto address = source(*callee, Storage::Lanes64);
        if (!address) return Unexpected(address.error());
        call.indirect = true;
        call.address = *address;
    }
    call.next = pc_ + 1;
    program_.callsFunctions = true;
    Op& op = emit(OpKind::Call);
    op.aux = u32(program_.calls.size());
    program_.calls.push_back(std::move(call));
    endSegment();
    return {};
}

Expected<void> FunctionDecoder::decodeReturn() {
    emit(OpKind::Return);
    endSegment();
    return {};
}

Expected<void> FunctionDecoder::decodeExit() {
    emit(OpKind::Exit);
    endSegment();
    return {};
}

Expected<void> FunctionDecoder::decodeTrap() {
    emit(OpKind::Trap);
    endSegment();
    return {};
}

Expected<void> FunctionDecoder::decodeNothing() {
    emit(OpKind::Nothing);
    return {};
}

Expected<void> FunctionDecoder::decodeFence() {
    Op& op = emit(OpKind::Fence);
    const std::string_view name = instruction_->name;
    op.aux = u32(hasPart(name, "cta") ? trace::Scope::Block : trace::Scope::Device);
    return {};
}

Expected<void> FunctionDecoder::decodeBarrier() {
    const std::string_view form = instruction_->form;
    if (hasPart(form, "cluster")) return unsupported(english("clusters of blocks"));
    if (hasPart(form, "warp")) {
        auto members = source(operands_[0], Storage::Lanes32);
        if (!members) return Unexpected(members.error());
        Op& op = emit(OpKind::WarpSync);
        op.at[0] = *members;
        op.operands = 1;
        op.aux = kNoOp;
        endSegment();
        return {};
    }
    BarrierOperation barrier;
    barrier.aligned = instruction_->name.starts_with("bar.") || hasPart(instruction_->name, "aligned");
    std::size_t next = 0;
    if (hasPart(form, "arrive")) barrier.kind = BarrierOperation::Kind::Arrive;
    if (hasPart(form, "red")) {
        barrier.kind = BarrierOperation::Kind::Reduce;
        barrier.reduction = hasPart(form, "popc")  ? BarrierOperation::Reduction::Count
                            : hasPart(form, "and") ? BarrierOperation::Reduction::And
                                                   : BarrierOperation::Reduction::Or;
        auto result = destination(operands_[0], barrier.reduction == BarrierOperation::Reduction::Count
                                                    ? Storage::Lanes32
                                                    : Storage::Predicate);
        if (!result) return Unexpected(result.error());
        barrier.result = *result;
        auto predicate = source(operands_.back(), Storage::Predicate);
        if (!predicate) return Unexpected(predicate.error());
        barrier.predicate = *predicate;
        next = 1;
    }
    const std::size_t end = operands_.size() - (barrier.kind == BarrierOperation::Kind::Reduce ? 1 : 0);
    if (next >= end) return unsupported();
    auto number = source(operands_[next], Storage::Lanes32);
    if (!number) return Unexpected(number.error());
    barrier.number = *number;
    if (next + 1 < end) {
        auto count = source(operands_[next + 1], Storage::Lanes32);
        if (!count) return Unexpected(count.error());
        barrier.count = *count;
        barrier.hasCount = true;
    }
    Op& op = emit(OpKind::BlockBarrier);
    op.aux = u32(program_.barriers.size());
    program_.barriers.push_back(barrier);
    endSegment();
    return {};
}

Expected<void> FunctionDecoder::decodeObjectBarrier() {
    const std::string_view form = instruction_->form;
    using Kind = ObjectBarrierOperation::Kind;
    ObjectBarrierOperation barrier;
    const auto emitBarrier = [&]() -> Expected<void> {
        Op& op = emit(OpKind::ObjectBarrier);
        op.aux = u32(program_.objectBarriers.size());
        program_.objectBarriers.push_back(barrier);
        return {};
    };
    const auto sourceAt = [&](std::size_t index, Storage storage, u32& at) -> Expected<void> {
        auto value = source(operands_[index], storage);
        if (!value) return Unexpected(value.error());
        at = *value;
        return {};
    };
    const auto resultAt = [&](std::size_t index, Storage storage) -> Expected<void> {
        auto to = destination(operands_[index], storage);
        if (!to) return Unexpected(to.error());
        barrier.result = *to;
        return {};
    };
    if (hasPart(form, "cluster")) return unsupported(english("clusters of blocks"));
    if (hasPart(form, "pending_count")) {
        barrier.kind = Kind::PendingCount;
        barrier.operand64 = true;
        if (auto done = resultAt(0, Storage::Lanes32); !done) return done;
        if (auto done = sourceAt(1, Storage::Lanes64, barrier.operand); !done) return done;
        return emitBarrier();
    }
    std::size_t address = 0;
    if (hasPart(form, "init"))
        barrier.kind = Kind::Init;
    else if (hasPart(form, "inval"))
        barrier.kind = Kind::Invalidate;
    else if (hasPart(form, "test_wait") || hasPart(form, "try_wait"))
        barrier.kind = Kind::Wait, address = 1;
    else if (hasPart(form, "arrive") || hasPart(form, "arrive_drop"))
        barrier.kind = Kind::Arrive, address = instruction_->name.starts_with("cp.") ? 0 : 1;
    else if (hasPart(form, "expect_tx"))
        barrier.kind = Kind::ExpectBytes;
    else if (hasPart(form, "complete_tx"))
        barrier.kind = Kind::CompleteBytes;
    else
        return unsupported();
    if (operands_.size() <= address) return unsupported();

    const bool isShared = instruction_->modifiers.space == StateSpace::Shared;
    barrier.generic = !isShared;
    auto where = place(operands_[address], isShared ? StateSpace::Shared : StateSpace::Generic);
    if (!where) return Unexpected(where.error());
    barrier.address = where->address;
    barrier.address64 = where->address64;
    barrier.offsetBytes = where->offsetBytes;
    const std::size_t next = address + 1;
    if (barrier.kind == Kind::Wait) {
        barrier.parity = hasPart(form, "parity");
        barrier.operand64 = !barrier.parity;
        if (auto done = resultAt(0, Storage::Predicate); !done) return done;
        if (auto done =
                sourceAt(next, barrier.operand64 ? Storage::Lanes64 : Storage::Lanes32, barrier.operand);
            !done)
            return done;
        return emitBarrier();
    }
    if (barrier.kind == Kind::Arrive) {
        barrier.drops = hasPart(form, "arrive_drop");
        if (address == 1)
            if (auto done = resultAt(0, Storage::Lanes64); !done) return done;
    }
    if (operands_.size() > next) {
        const bool isBytes = hasPart(form, "expect_tx") || hasPart(form, "complete_tx");
        if (auto done = sourceAt(next, Storage::Lanes32, isBytes ? barrier.bytes : barrier.operand); !done)
            return done;
    }
    return emitBarrier();
}

std::span<const MachineRow> machineRows() {
    using D = FunctionDecoder;
    static constexpr auto kRows = std::to_array<MachineRow>({
        {"ld", &D::decodeLoad},
        {"ldu", &D::decodeLoad},
        {"st", &D::decodeStore},
        {"atom", &D::decodeAtomic},
        {"red", &D::decodeAtomic},
        {"cp", &D::decodeAsyncCopy},
        {"cvta", &D::decodeConvertAddress},
        {"isspacep", &D::decodeIsSpace},
        {"mov", &D::decodeMove},
        {"tex", &D::decodeTexture},
        {"tld4", &D::decodeTexture},
        {"txq", &D::decodeImageQuery},
        {"suq", &D::decodeImageQuery},
        {"suld", &D::decodeSurface},
        {"sust", &D::decodeSurface},
        {"sured", &D::decodeSurface},
        {"bra", &D::decodeBranch},
        {"brx", &D::decodeIndexedBranch},
        {"call", &D::decodeCall},
        {"ret", &D::decodeReturn},
        {"exit", &D::decodeExit},
        {"trap", &D::decodeTrap},
        {"brkpt", &D::decodeNothing},
        {"bar", &D::decodeBarrier},
        {"barrier", &D::decodeBarrier},
        {"mbarrier", &D::decodeObjectBarrier},
        {"membar", &D::decodeFence},
        {"fence", &D::decodeFence},
        {"prefetch", &D::decodeNothing},
        {"prefetchu", &D::decodeNothing},
        {"discard", &D::decodeNothing},
        {"applypriority", &D::decodeNothing},
        {"griddepcontrol", &D::decodeNothing},
        {"setmaxnreg", &D::decodeNothing},
        {"nanosleep", &D::decodeNothing},
        {"pmevent", &D::decodeNothing},
    });
    return kRows;
}

}  // namespace lockstep::simt
