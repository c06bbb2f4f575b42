// Takes an atomic's operands from the record or from a replay, and does it once more.
#include "explain/access/atomic_operands.h"

#include "explain/access/warp_steps.h"
#include "simt/opcodes/atomic_functions.h"
#include "simt/warp_replay.h"

#include <algorithm>
#include <cstring>
#include <variant>

namespace lockstep::explain {
namespace {

bool isReduction(const ptx::Instruction& instruction) { return instruction.form.starts_with("red"); }

const ptx::Operand* operandOf(const ptx::Module& module, Pc pc, u32 number) {
    const ptx::Instruction& instruction = module.at(pc);
    const auto operands = module.operandsOf(instruction);
    const std::size_t at = (isReduction(instruction) ? 1 : 2) + number;
    return at < operands.size() ? &operands[at] : nullptr;
}

std::vector<std::byte> bytesOf(u64 bits, u32 count) {
    std::vector<std::byte> bytes(count);
    std::memcpy(bytes.data(), &bits, std::min<std::size_t>(count, sizeof bits));
    return bytes;
}

}  // namespace

std::optional<std::vector<std::byte>> immediateOperand(const ptx::Module& module, Pc pc, u32 number,
                                                       u32 bytes) {
    const ptx::Operand* operand = operandOf(module, pc, number);
    const auto* immediate = operand ? std::get_if<ptx::ImmediateOperand>(operand) : nullptr;
    return immediate && bytes <= sizeof(u64) ? std::optional(bytesOf(immediate->bits, bytes)) : std::nullopt;
}

std::optional<std::vector<std::byte>> afterAtomic(const ptx::Instruction& instruction,
                                                  std::span<const std::byte> old,
                                                  std::span<const std::byte> first,
                                                  std::span<const std::byte> second) {
    const simt::AtomicFunction function =
        simt::findAtomic(instruction.modifiers.atomic, instruction.types[0]);
    const u32 bytes = ptx::bytesOf(instruction.types[0]);
    if (!function || bytes == 0 || bytes > sizeof(u64) || old.size() % bytes != 0 ||
        first.size() != old.size())
        return std::nullopt;
    if (instruction.modifiers.atomic == ptx::AtomicOp::Cas && second.size() != old.size())
        return std::nullopt;
    std::vector<std::byte> result(old.begin(), old.end());
    for (std::size_t at = 0; at < result.size(); at += bytes) {
        alignas(8) std::array<std::byte, sizeof(u64)> word{};
        u64 a = 0, b = 0;
        std::memcpy(word.data(), result.data() + at, bytes);
        std::memcpy(&a, first.data() + at, bytes);
        if (!second.empty()) std::memcpy(&b, second.data() + at, bytes);
        function(word.data(), a, b, false);
        std::memcpy(result.data() + at, word.data(), bytes);
    }
    return result;
}

AtomicOperands::AtomicOperands(const ptx::Module& module, const Launch& launch, std::size_t buffers,
                               const trace::FocusBlock& block, Warp warp, u32 step)
    : instruction_(module.at(block.warps[warp.value].steps[step].pc)),
      returnsOld_(accessOf(block.warps[warp.value], step)->kind == trace::AccessKind::Atomic) {
    const trace::WarpTrace& trace = block.warps[warp.value];
    const trace::StoredAccess& access = *accessOf(trace, step);
    const Pc pc = trace.steps[step].pc;
    for (const Lane lane : access.active) {
        const auto recorded = trace.value(access, lane);
        (returnsOld_ ? old_ : operands_[0])[lane.value].emplace(recorded.begin(), recorded.end());
    }
    std::optional<Expected<simt::WarpReplay>> replay;  // to where the instruction finds its registers
    for (u32 number = 0; number < operands(); ++number) {
        if (number == 0 && !returnsOld_) continue;
        const auto immediate = immediateOperand(module, pc, number, access.widthBytes);
        if (immediate) {
            for (const Lane lane : access.active)
                operands_[number][lane.value] = immediate;
            continue;
        }
        const ptx::Operand* operand = operandOf(module, pc, number);
        const auto* named = operand ? std::get_if<ptx::RegisterOperand>(operand) : nullptr;
        if (!named || access.widthBytes > sizeof(u64)) continue;
        if (!replay) {
            replay = simt::WarpReplay::of(module, launch, buffers, block, warp);
            if (*replay) (*replay)->seek(step);
        }
        if (!*replay) continue;
        const simt::LaneValues values = (*replay)->valuesOf(module.functionOf(pc), named->id);
        for (const Lane lane : access.active& values.known)
            operands_[number][lane.value] = bytesOf(values.bits[lane.value], access.widthBytes);
    }
}

bool AtomicOperands::isCas() const { return instruction_.modifiers.atomic == ptx::AtomicOp::Cas; }

std::string AtomicOperands::function() const {
    using ptx::AtomicOp;
    switch (instruction_.modifiers.atomic) {
        case AtomicOp::Add: return "atomicAdd";
        case AtomicOp::Min: return "atomicMin";
        case AtomicOp::Max: return "atomicMax";
        case AtomicOp::And: return "atomicAnd";
        case AtomicOp::Or: return "atomicOr";
        case AtomicOp::Xor: return "atomicXor";
        case AtomicOp::Exch: return "atomicExch";
        case AtomicOp::Cas: return "atomicCAS";
        case AtomicOp::Inc: return "atomicInc";
        case AtomicOp::Dec: return "atomicDec";
        case AtomicOp::None: break;
    }
    return std::string(instruction_.name);
}

AtomicOperands::Bytes AtomicOperands::newValue(Lane lane) const {
    const Bytes &old = old_[lane.value], &first = operands_[0][lane.value],
                &second = operands_[1][lane.value];
    if (!old || !first || (isCas() && !second)) return std::nullopt;
    return afterAtomic(instruction_, *old, *first,
                       second ? std::span<const std::byte>(*second) : std::span<const std::byte>());
}

}  // namespace lockstep::explain
