#include "model/access/shared_atomics.h"

#include <algorithm>

namespace lockstep::model {
namespace {

using trace::AccessKind;
using trace::WarpAccess;

// What follows was measured on an H200 with ten patterns of lanes for each operation:
// tests/data/shared_atomics.
constexpr u32 kPassesOfCompareAndSwap = 2;

WarpAccess asLoad(WarpAccess access) {
    access.kind = AccessKind::Load;
    return access;
}

// The lanes that have succeeded after one round: in each group the first of each bank, unless an earlier
// group has changed the same word.
LaneMask winners(const WarpAccess& access, const Profile& profile) {
    LaneMask winners;
    const u64 unit = std::max<u64>(access.widthBytes, kBankBytes),
              banks = std::max<u64>(profile.banks * kBankBytes / unit, 1);
    std::vector<u64> changed;
    for (LaneMask group : sharedGroups(access, profile)) {
        u32 busyBanks = 0;
        const std::size_t before = changed.size();
        for (Lane lane : group) {
            const u64 word = access.addresses[lane.value] / unit;
            const u32 bank = 1u << (word % banks);
            if (busyBanks & bank) continue;
            busyBanks |= bank;
            if (std::find(changed.begin(), changed.begin() + std::ptrdiff_t(before), word) !=
                changed.begin() + std::ptrdiff_t(before))
                continue;
            changed.push_back(word);
            winners = winners | LaneMask::of(lane);
        }
    }
    return winners;
}

// In each round the remaining lanes load, compute, and compare and swap. Only the conflicts of the loads are
// counted.
SharedAtomicCost loopCost(WarpAccess access, const Profile& profile) {
    SharedAtomicCost cost;
    for (; !access.active.empty(); access.active = access.active & ~winners(access, profile)) {
        cost.loadWavefronts += sharedWavefronts(asLoad(access), profile);
        cost.idealLoadWavefronts += idealWavefronts(asLoad(access), profile);
        cost.atomicWavefronts += kPassesOfCompareAndSwap * u32(sharedGroups(access, profile).size());
    }
    cost.idealAtomicWavefronts = cost.atomicWavefronts;
    return cost;
}

bool isImmediateOne(const ptx::Operand& operand) {
    const auto* immediate = std::get_if<ptx::ImmediateOperand>(&operand);
    return immediate && immediate->bits == 1;
}

}  // namespace

SharedAtomicForm sharedAtomicForm(const ptx::Instruction& instruction, std::span<const ptx::Operand> operands,
                                  AccessKind kind) {
    const ptx::Type type = instruction.types[0];
    const ptx::AtomicOp operation = instruction.modifiers.atomic;
    const bool onlyExchanges = operation == ptx::AtomicOp::Exch || operation == ptx::AtomicOp::Cas;
    if (!onlyExchanges && (ptx::isFloat(type) || ptx::bytesOf(type) == 8)) return SharedAtomicForm::Loop;
    if (operation == ptx::AtomicOp::Cas) return SharedAtomicForm::CompareAndSwap;
    const bool addsOne =
        operation == ptx::AtomicOp::Add && !operands.empty() && isImmediateOne(operands.back());
    return addsOne && kind == AccessKind::Reduction ? SharedAtomicForm::CountsLanes
                                                    : SharedAtomicForm::Native;
}

SharedAtomicCost sharedAtomicCost(const WarpAccess& access, SharedAtomicForm form, const Profile& profile) {
    if (form == SharedAtomicForm::Loop) return loopCost(access, profile);
    const WarpAccess counted = form == SharedAtomicForm::CountsLanes ? asLoad(access) : access;
    const u32 passes = sharedWavefronts(counted, profile), ideal = idealWavefronts(counted, profile);
    // A profiler counts waiting lanes as conflicts, not the second wavefront of each.
    const u32 each = form == SharedAtomicForm::CompareAndSwap ? kPassesOfCompareAndSwap : 1;
    return {.atomicWavefronts = each * passes, .idealAtomicWavefronts = each * passes - (passes - ideal)};
}

}  // namespace lockstep::model
