// Takes an atomic's operands from the record or from a replay, and does it once more.
#include "viz/access/atomic_lanes.h"

#include "simt/opcodes/atomic_functions.h"
#include "viz/access/access_values.h"
#include "viz/access/warp_registers.h"

#include <algorithm>
#include <cstring>

namespace lockstep::viz {
namespace {

constexpr Words kOperation = english("{0} on {1} with operand {2}");
constexpr Words kOperationOnly = english("{0} on {1}");
constexpr Words kCompareAndSwap = english("{0} on {1}: compares with {2}, stores {3} where they are equal");
constexpr Words kOldAndNew = english("; old value {0}, new value {1}.");
constexpr Words kOldOnly = english("; old value {0}.");
constexpr Words kOldUnused = english("; the old value is not used.");

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

AtomicLanes::AtomicLanes(const run::Run& run, const Cursor& cursor, const CursorContext& here)
    : run_(run),
      launch_(cursor.launch),
      here_(here),
      instruction_(run.module->at(here.step->pc)),
      returnsOld_(here.access->kind == trace::AccessKind::Atomic) {
    const trace::StoredAccess& access = *here_.access;
    const Pc pc = here_.step->pc;
    for (const Lane lane : access.active) {
        const auto recorded = here_.warp->value(access, lane);
        (returnsOld_ ? old_ : operands_[0])[lane.value].emplace(recorded.begin(), recorded.end());
    }
    std::vector<LaneRegister> registers;  // as the instruction finds them
    bool isReplayed = false;
    for (u32 number = 0; number < operands(); ++number) {
        if (number == 0 && !returnsOld_) continue;
        const auto immediate = immediateOperand(*run_.module, pc, number, access.widthBytes);
        if (immediate) {
            for (const Lane lane : access.active)
                operands_[number][lane.value] = immediate;
            continue;
        }
        const ptx::Operand* operand = operandOf(*run_.module, pc, number);
        const auto* named = operand ? std::get_if<ptx::RegisterOperand>(operand) : nullptr;
        if (!named || access.widthBytes > sizeof(u64)) continue;
        const ptx::FunctionId function = run_.module->functionOf(pc);
        if (!std::exchange(isReplayed, true))
            if (const auto replay = WarpRegisters::of(run_, cursor))
                registers = (*replay)->named(function, std::span(&pc, 1), cursor.step);
        const auto found = std::ranges::find(
            registers, run_.module->functions[function.value].registers[named->id.value].name,
            &LaneRegister::name);
        if (found == registers.end()) continue;
        for (const Lane lane : access.active & found->values.known)
            operands_[number][lane.value] = bytesOf(found->values.bits[lane.value], access.widthBytes);
    }
}

bool AtomicLanes::isCas() const { return instruction_.modifiers.atomic == ptx::AtomicOp::Cas; }

std::string AtomicLanes::function() const {
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

std::string AtomicLanes::text(const Values& values, Lane lane, u32 maxCharacters) const {
    const auto& bytes = values[lane.value];
    return bytes ? movedText(movedElements(run_, launch_, *here_.warp, *here_.access, lane), *bytes,
                             maxCharacters)
                 : std::string();
}

std::string AtomicLanes::operand(u32 number, Lane lane, u32 maxCharacters) const {
    return text(operands_[number], lane, maxCharacters);
}
std::string AtomicLanes::oldValue(Lane lane, u32 maxCharacters) const {
    return text(old_, lane, maxCharacters);
}

std::string AtomicLanes::newValue(Lane lane, u32 maxCharacters) const {
    const auto &old = old_[lane.value], &first = operands_[0][lane.value], &second = operands_[1][lane.value];
    if (!old || !first || (isCas() && !second)) return {};
    Values after;
    after[lane.value] =
        afterAtomic(instruction_, *old, *first,
                    second ? std::span<const std::byte>(*second) : std::span<const std::byte>());
    return text(after, lane, maxCharacters);
}

std::string AtomicLanes::sentence(Language language, Lane lane, const std::string& place) const {
    const std::string first = operand(0, lane), second = isCas() ? operand(1, lane) : std::string(),
                      old = oldValue(lane), after = newValue(lane);
    std::string text = first.empty() || (isCas() && second.empty())
                           ? say(language, kOperationOnly, function(), place)
                       : isCas() ? say(language, kCompareAndSwap, function(), place, first, second)
                                 : say(language, kOperation, function(), place, first);
    if (!returnsOld_) return text + say(language, kOldUnused);
    return text + (after.empty() ? say(language, kOldOnly, old) : say(language, kOldAndNew, old, after));
}

}  // namespace lockstep::viz
