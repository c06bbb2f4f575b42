// Loads, stores, atomics, copies to shared memory, addresses and moves.
#include "ptx/analysis/variable_origins.h"
#include "simt/decode/function_decoder.h"
#include "simt/memory/address_space.h"
#include "simt/opcodes/lane_helpers.h"
#include "simt/opcodes/opcode_table.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace lockstep::simt {

using ptx::Operand;
using ptx::StateSpace;
using trace::AccessKind;

namespace {

std::span<const Operand> elementsOf(const Operand& operand) {
    if (const auto* vector = std::get_if<ptx::VectorOperand>(&operand)) return vector->elements;
    return {&operand, 1};
}

trace::Strength strengthOf(const ptx::Modifiers& modifiers, bool isAtomic) {
    using enum ptx::Ordering;
    trace::Strength strength;
    if (modifiers.scope == ptx::Scope::Cta) strength.scope = trace::Scope::Block;
    switch (modifiers.ordering) {
        case None:
        case Weak: strength.ordering = isAtomic ? trace::Ordering::Relaxed : trace::Ordering::Weak; break;
        case Volatile: strength.ordering = trace::Ordering::Volatile; break;
        case Relaxed: strength.ordering = trace::Ordering::Relaxed; break;
        case Acquire: strength.ordering = trace::Ordering::Acquire; break;
        case Release: strength.ordering = trace::Ordering::Release; break;
        case AcqRel:
        case SeqCst: strength.ordering = trace::Ordering::AcquireRelease; break;
    }
    return strength;
}

u64 genericWindow(StateSpace space) {
    switch (space) {
        case StateSpace::Shared: return kSharedWindow;
        case StateSpace::Local: return kLocalWindow;
        case StateSpace::Param: return kParamWindow;
        default: return 0;
    }
}

}  // namespace

LaneBytes* FunctionDecoder::laneBytesOf(ptx::VariableId variable) {
    const auto found = std::ranges::find(laneBytes_, variable.value, &std::pair<u32, LaneBytes>::first);
    return found == laneBytes_.end() ? nullptr : &found->second;
}

Expected<FunctionDecoder::Place> FunctionDecoder::place(const Operand& operand, StateSpace space) {
    Place place;
    ptx::AddressOperand address;
    if (const auto* a = std::get_if<ptx::AddressOperand>(&operand))
        address = *a;
    else if (const auto* r = std::get_if<ptx::RegisterOperand>(&operand))
        address.base = r->id;
    else
        return unsupported();
    place.offsetBytes = address.offsetBytes;
    place.array = arrayOf(address);
    if (const auto* r = std::get_if<ptx::RegisterId>(&address.base)) {
        reads(*r);
        place.address = layout_.registerAt(*r);
        place.address64 = layout_.storageOfRegister(*r) == Storage::Lanes64;
    } else if (const auto* id = std::get_if<ptx::VariableId>(&address.base)) {
        const StateSpace own = module_.variables[id->value].space;
        if (own == StateSpace::Local && space == StateSpace::Generic) {
            for (auto [variable, offset] : localOffsets_)
                if (variable == id->value) place.address = layout_.localAddress(offset, true);
            return place;
        }
        auto at = addressConstant(*id, space == StateSpace::Generic ? s64(genericWindow(own)) : 0,
                                  Storage::Lanes64);
        if (!at) return Unexpected(at.error());
        place.address = *at;
    } else {
        place.address = layout_.constant(0, Storage::Lanes64);
    }
    return place;
}

// The bounds that a pointer into one of several shared arrays should stay in.
u32 FunctionDecoder::arrayOf(const ptx::AddressOperand& address) {
    if (program_.sharedArrays.empty()) return MemoryOperation::kNoArray;
    std::optional<ptx::VariableId> variable;
    if (const auto* id = std::get_if<ptx::VariableId>(&address.base)) variable = *id;
    if (const auto* r = std::get_if<ptx::RegisterId>(&address.base)) {
        if (origins_.empty()) origins_ = ptx::variableOrigins(module_, function_);
        variable = origins_[r->value];
    }
    if (!variable) return MemoryOperation::kNoArray;
    const auto found = std::ranges::find(program_.sharedArrays, *variable, &SharedArray::variable);
    return found == program_.sharedArrays.end() ? MemoryOperation::kNoArray
                                                : u32(found - program_.sharedArrays.begin());
}

u32 FunctionDecoder::newSite(trace::Space space, AccessKind kind, u32 widthBytes) {
    program_.sites.push_back({pc_, space, kind, u8(widthBytes)});
    return u32(program_.sites.size() - 1);
}

Expected<MemoryOperation> FunctionDecoder::memoryOperation(const Operand& address, AccessKind kind) {
    MemoryOperation operation;
    const ptx::Modifiers& modifiers = instruction_->modifiers;
    operation.space = modifiers.space == StateSpace::None ? StateSpace::Generic : modifiers.space;
    operation.kind = kind;
    const bool isAtomic = trace::isAtomic(kind);
    operation.strength = strengthOf(modifiers, isAtomic);
    const ptx::Type type = instruction_->types[0];
    operation.elementBytes = u8(ptx::bytesOf(type));
    operation.elements = modifiers.vector;
    operation.isSigned = ptx::isSigned(type);
    if (!operation.elementBytes || operation.elements > 8 || operation.widthBytes() > 32)
        return unsupported();
    auto where = place(address, operation.space);
    if (!where) return Unexpected(where.error());
    operation.address = where->address;
    operation.address64 = where->address64;
    operation.offsetBytes = where->offsetBytes;
    operation.array = where->array;
    operation.site = newSite(traceSpace(operation.space), kind, operation.widthBytes());
    // The value of such a load depends on what other blocks do concurrently; an atomic counts only if its
    // result is used.
    if (!isAtomic && kind == AccessKind::Load && operation.strength.ordering != trace::Ordering::Weak &&
        (operation.space == StateSpace::Global || operation.space == StateSpace::Generic))
        program_.mustRunInOrder = program_.blocksCommunicate = true;
    return operation;
}

Expected<void> FunctionDecoder::elementSlots(std::array<ElementSlot, 8>& slots, const Operand& operand,
                                             u32 elements, bool written) {
    const std::span<const Operand> list = elementsOf(operand);
    if (list.size() != elements) return unsupported();
    const u32 elementBytes = ptx::bytesOf(instruction_->types[0]);
    const bool isSigned = ptx::isSigned(instruction_->types[0]);
    for (u32 i = 0; i < elements; ++i) {
        if (const auto* r = std::get_if<ptx::RegisterOperand>(&list[i])) {
            written ? writes(r->id) : reads(r->id);
            const u32 registerBytes = ptx::bytesOf(layout_.registerOf(r->id).type);
            slots[i] = {layout_.registerAt(r->id), layout_.storageOfRegister(r->id), u8(registerBytes),
                        elementMoves(elementBytes, isSigned, registerBytes), false};
            slots[i].loadsWords = elementBytes == registerBytes && (elementBytes == 4 || elementBytes == 8);
            if (!slots[i].moves.load)
                return unsupported(
                    Message(english("register {0} is too small"), layout_.registerOf(r->id).name));
        } else if (std::holds_alternative<ptx::DiscardOperand>(list[i])) {
            slots[i] = {ElementSlot::kDiscard,
                        storageOfType(instruction_->types[0], elementBytes),
                        u8(elementBytes),
                        {},
                        false};
        } else {
            const Storage storage = storageOfType(instruction_->types[0], elementBytes);
            auto at = source(list[i], storage);
            if (!at || written) return unsupported();
            slots[i] = {*at, storage, u8(elementBytes), elementMoves(elementBytes, isSigned, elementBytes),
                        false};
        }
    }
    return {};
}

void FunctionDecoder::emitMemory(OpKind kind, MemoryOperation operation) {
    Op& op = emit(kind);
    op.aux = u32(program_.memory.size());
    operation.isVectorOfWords =
        operation.elements > 1 && operation.widthBytes() <= 16 &&
        std::all_of(operation.registers.begin(), operation.registers.begin() + operation.elements,
                    [](const ElementSlot& slot) { return slot.loadsWords && slot.moves.store; });
    program_.memory.push_back(operation);
}

Expected<void> FunctionDecoder::decodeLoad() {
    if (operands_.size() < 2) return unsupported();
    const auto* address = std::get_if<ptx::AddressOperand>(&operands_[1]);
    if (instruction_->modifiers.space == StateSpace::Param && address) {
        if (const auto* id = std::get_if<ptx::VariableId>(&address->base)) {
            if (laneBytesOf(*id)) return decodeLaneBytes(*address, true);
            return decodeParameterLoad(*address);
        }
        if (!function_.isEntry)
            return unsupported(english("a function's parameter whose address is in a register"));
    }
    auto operation = memoryOperation(operands_[1], AccessKind::Load);
    if (!operation) return Unexpected(operation.error());
    if (guessed_[pc_ - function_.first.value] && operation->strength.ordering == trace::Ordering::Weak)
        operation->strength.ordering = trace::Ordering::Relaxed;
    if (auto done = elementSlots(operation->registers, operands_[0], operation->elements, true); !done)
        return done;
    emitMemory(OpKind::Load, *operation);
    return {};
}

Expected<void> FunctionDecoder::decodeStore() {
    if (operands_.size() < 2 || hasPart(instruction_->form, "async") || hasPart(instruction_->form, "bulk"))
        return unsupported();
    const auto* address = std::get_if<ptx::AddressOperand>(&operands_[0]);
    if (instruction_->modifiers.space == StateSpace::Param && address)
        return decodeLaneBytes(*address, false);
    auto operation = memoryOperation(operands_[0], AccessKind::Store);
    if (!operation) return Unexpected(operation.error());
    if (auto done = elementSlots(operation->registers, operands_[1], operation->elements, false); !done)
        return done;
    emitMemory(OpKind::Store, *operation);
    return {};
}

// A kernel's parameters are known and the same in all lanes: each element is a move from a constant.
Expected<void> FunctionDecoder::decodeParameterLoad(const ptx::AddressOperand& address) {
    const auto at = addressConstant(std::get<ptx::VariableId>(address.base), 0, Storage::Lanes64);
    if (!at) return Unexpected(at.error());
    const auto parameter =
        std::ranges::find(context_.entry.parameters, std::get<ptx::VariableId>(address.base));
    u64 from = context_.parameterOffsets[u64(parameter - context_.entry.parameters.begin())] +
               u64(address.offsetBytes);
    const ptx::Type type = instruction_->types[0];
    const u32 bytes = ptx::bytesOf(type);
    std::array<ElementSlot, 8> slots;
    if (auto done = elementSlots(slots, operands_[0], instruction_->modifiers.vector, true); !done)
        return done;
    for (u32 i = 0; i < instruction_->modifiers.vector; ++i, from += bytes) {
        if (from + bytes > program_.parameters.size() || bytes > 8)
            return unsupported(english("it reads beyond the kernel's parameters"));
        u64 bits = 0;
        std::memcpy(&bits, program_.parameters.data() + from, bytes);
        if (ptx::isSigned(type)) bits = u64(s64(bits << (64 - bytes * 8)) >> (64 - bytes * 8));
        if (slots[i].registerBytes < 8) bits &= (u64{1} << slots[i].registerBytes * 8) - 1;
        const u32 to = slots[i].at == ElementSlot::kDiscard ? layout_.scratch(slots[i].storage) : slots[i].at;
        const OpcodeRow* row = findOpcode(slots[i].storage == Storage::Lanes64 ? "mov.b64" : "mov.b32");
        if (!row) return unsupported();
        const u32 constant = layout_.constant(bits, slots[i].storage);
        Op& op = emit(i                             ? OpKind::Hidden
                      : instruction_->guard.present ? OpKind::LanesGuarded
                                                    : OpKind::Lanes);
        op.execute = row->execute;
        op.aux = u32(program_.rows.size());
        program_.rows.push_back(row);
        op.at = {to, constant};
        op.results = 1;
        op.operands = 2;
    }
    return {};
}

// ld.param and st.param of a function's parameters, return value and call arguments.
Expected<void> FunctionDecoder::decodeLaneBytes(const ptx::AddressOperand& address, bool isLoad) {
    const auto* id = std::get_if<ptx::VariableId>(&address.base);
    const LaneBytes* bytes = id ? laneBytesOf(*id) : nullptr;
    if (!bytes) return unsupported();
    const u32 elements = instruction_->modifiers.vector, elementBytes = ptx::bytesOf(instruction_->types[0]);
    std::array<ElementSlot, 8> slots;
    if (auto done = elementSlots(slots, operands_[isLoad ? 0 : 1], elements, isLoad); !done) return done;
    for (u32 i = 0; i < elements; ++i) {
        const s64 offset = address.offsetBytes + s64(i * elementBytes);
        if (offset < 0 || u64(offset) + elementBytes > bytes->sizeBytes)
            return unsupported(english("it reaches beyond the parameter"));
        const u32 at = slots[i].at == ElementSlot::kDiscard ? layout_.scratch(slots[i].storage) : slots[i].at;
        const u32 registerBytes = slots[i].storage == Storage::Lanes32
                                      ? std::min<u32>(slots[i].registerBytes, 4)
                                      : slots[i].registerBytes;
        Op& op = emit(i                             ? OpKind::Hidden
                      : instruction_->guard.present ? OpKind::LanesGuarded
                                                    : OpKind::Lanes);
        op.execute = isLoad ? &loadLaneBytes : &storeLaneBytes;
        op.at = {at,           bytes->at + u32(offset), bytes->strideBytes(),
                 elementBytes, registerBytes,           ptx::isSigned(instruction_->types[0])};
    }
    return {};
}

Expected<void> FunctionDecoder::decodeAtomic() {
    const bool isReduction = ptx::opcodeTable()[instruction_->opcode].name == "red";
    const std::size_t address = isReduction ? 0 : 1;
    if (operands_.size() < address + 2 || hasPart(instruction_->form, "async")) return unsupported();
    const ptx::Modifiers& modifiers = instruction_->modifiers;
    const AtomicFunction function = findAtomic(modifiers.atomic, instruction_->types[0]);
    if (!function) return unsupported();
    auto operation =
        memoryOperation(operands_[address], isReduction ? AccessKind::Reduction : AccessKind::Atomic);
    if (!operation) return Unexpected(operation.error());
    operation->atomic = function;
    operation->commutes = commutes(modifiers.atomic, instruction_->types[0]);
    operation->exchanges = modifiers.atomic == ptx::AtomicOp::Exch;
    if (auto done = elementSlots(operation->registers, operands_[address + 1], operation->elements, false);
        !done)
        return done;
    if (modifiers.atomic == ptx::AtomicOp::Cas) {
        std::array<ElementSlot, 8> second;
        if (operands_.size() < address + 3 || operation->elements != 1) return unsupported();
        if (auto done = elementSlots(second, operands_[address + 2], 1, false); !done) return done;
        operation->second = second[0];
    }
    if (!isReduction) {
        if (auto done = elementSlots(operation->results, operands_[0], operation->elements, true); !done)
            return done;
        std::vector<u32> registers;
        for (const Operand& result : elementsOf(operands_[0]))
            if (const auto* r = std::get_if<ptx::RegisterOperand>(&result)) registers.push_back(r->id.value);
        atomicResults_.emplace_back(u32(program_.memory.size()), std::move(registers));
    } else {
        operation->results.fill({ElementSlot::kDiscard, Storage::Lanes32, 4, {}, false});
    }
    emitMemory(OpKind::Atomic, *operation);
    return {};
}

// The copy is done at once: correct code cannot tell, because it waits before it reads.
Expected<void> FunctionDecoder::decodeAsyncCopy() {
    const std::string_view form = instruction_->form;
    // All copies are done by now: one arrival (.noinc), or one more is expected and arrives at once.
    if (hasPart(form, "mbarrier") && hasPart(form, "async"))
        return hasPart(form, "noinc") ? decodeObjectBarrier() : decodeNothing();
    if (!hasPart(form, "async") || hasPart(form, "bulk") || hasPart(form, "reduce")) return unsupported();
    if (hasPart(form, "commit_group") || hasPart(form, "wait_group") || hasPart(form, "wait_all"))
        return decodeNothing();
    const auto* size = operands_.size() >= 3 ? std::get_if<ptx::ImmediateOperand>(&operands_[2]) : nullptr;
    if (!size || (size->bits != 4 && size->bits != 8 && size->bits != 16)) return unsupported();
    MemoryOperation operation;
    operation.space = StateSpace::Global;
    operation.kind = AccessKind::AsyncCopy;
    operation.elementBytes = u8(size->bits);
    auto to = place(operands_[0], StateSpace::Shared);
    if (!to) return Unexpected(to.error());
    auto from = place(operands_[1], StateSpace::Global);
    if (!from) return Unexpected(from.error());
    operation.address = from->address;
    operation.address64 = from->address64;
    operation.offsetBytes = from->offsetBytes;
    operation.sharedAddress = to->address;
    operation.sharedAddress64 = to->address64;
    operation.sharedOffsetBytes = to->offsetBytes;
    operation.array = to->array;
    if (operands_.size() >= 4) {
        if (const auto* r = std::get_if<ptx::RegisterOperand>(&operands_[3]);
            r && layout_.storageOfRegister(r->id) == Storage::Predicate)
            return unsupported(english("a copy that is skipped by a predicate"));
        auto bytes = source(operands_[3], Storage::Lanes32);
        if (!bytes) return Unexpected(bytes.error());
        operation.sourceBytes = *bytes;
        operation.hasSourceBytes = true;
    }
    operation.site = newSite(trace::Space::Global, AccessKind::AsyncCopy, operation.widthBytes());
    emitMemory(OpKind::AsyncCopy, operation);
    return {};
}

Expected<void> FunctionDecoder::decodeConvertAddress() {
    const StateSpace space = instruction_->modifiers.space;
    if (operands_.size() != 2 || ptx::bytesOf(instruction_->types[0]) != 8)
        return unsupported(english("32-bit generic addresses"));
    if (space == StateSpace::Param && !function_.isEntry)
        return unsupported(english("the address of a function's parameter"));
    auto to = destination(operands_[0], Storage::Lanes64);
    if (!to) return Unexpected(to.error());
    auto from = source(operands_[1], Storage::Lanes64);
    if (!from) return Unexpected(from.error());
    const u64 window = genericWindow(space);
    const u32 offset = layout_.constant(instruction_->modifiers.to ? 0 - window : window, Storage::Lanes64);
    const OpcodeRow* move = findOpcode("mov.b64");
    if (!move) return unsupported();
    Op& op = emit(instruction_->guard.present ? OpKind::LanesGuarded : OpKind::Lanes);
    op.execute = window ? &addAddress : move->execute;
    op.aux = u32(program_.rows.size());
    program_.rows.push_back(move);
    op.at = {*to, *from, offset};
    op.results = 1;
    op.operands = 2;
    return {};
}

Expected<void> FunctionDecoder::decodeIsSpace() {
    auto address = source(operands_[1], Storage::Lanes64);
    if (!address) return Unexpected(address.error());
    auto to = destination(operands_[0], Storage::Predicate);
    if (!to) return Unexpected(to.error());
    Execute execute = nullptr;
    switch (instruction_->modifiers.space) {
        case StateSpace::Shared: execute = &isShared; break;
        case StateSpace::Local: execute = &isLocal; break;
        case StateSpace::Global: execute = &isGlobal; break;
        case StateSpace::Param: execute = &isParam; break;
        default: return unsupported();
    }
    Op& op = emit(instruction_->guard.present ? OpKind::LanesGuarded : OpKind::Lanes);
    op.execute = execute;
    op.at = {*to, *address};
    op.results = 1;
    op.operands = 2;
    return {};
}

Expected<void> FunctionDecoder::decodeMove() {
    if (operands_.size() != 2) return unsupported();
    if (const auto* special = std::get_if<ptx::SpecialOperand>(&operands_[1]);
        special && isClock(special->special)) {
        const Storage storage =
            ptx::bytesOf(ptx::typeOf(special->special)) == 8 ? Storage::Lanes64 : Storage::Lanes32;
        auto to = destination(operands_[0], storage);
        if (!to) return Unexpected(to.error());
        Op& op = emit(OpKind::Clock);
        op.at[0] = *to;
        op.aux = u32(special->special);
        op.results = op.operands = 1;
        return {};
    }
    const bool unpacks = std::holds_alternative<ptx::VectorOperand>(operands_[0]),
               packs = std::holds_alternative<ptx::VectorOperand>(operands_[1]);
    if (!unpacks && !packs) {
        const OpcodeRow* row = findOpcode(instruction_->form);
        if (!row) return unsupported();
        return decodeRow(*row);
    }
    const std::span<const Operand> elements = elementsOf(operands_[unpacks ? 0 : 1]);
    const u32 packedBytes = ptx::bytesOf(instruction_->types[0]);
    if ((unpacks && packs) || !packedBytes || packedBytes % elements.size()) return unsupported();
    const u32 bytes = packedBytes / u32(elements.size());
    const Storage packedStorage = storageOfType(instruction_->types[0], packedBytes),
                  elementStorage = storageOfType(ptx::Type::B8, bytes);
    auto packed = unpacks ? source(operands_[1], packedStorage) : destination(operands_[0], packedStorage);
    if (!packed) return Unexpected(packed.error());
    std::vector<u32> slots;
    for (const Operand& element : elements) {
        auto slot = unpacks ? destination(element, elementStorage) : source(element, elementStorage);
        if (!slot) return Unexpected(slot.error());
        slots.push_back(*slot);
    }
    for (u32 i = 0; i < slots.size(); ++i) {
        Op& op = emit(i                             ? OpKind::Hidden
                      : instruction_->guard.present ? OpKind::LanesGuarded
                                                    : OpKind::Lanes);
        op.execute = unpacks ? &unpackElement : &packElement;
        op.at = {*packed, slots[i], i, bytes, packedBytes};
    }
    return {};
}

}  // namespace lockstep::simt
