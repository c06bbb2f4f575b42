#include "model/shared_atomics.h"

#include <algorithm>

namespace lockstep::model {
namespace {

using trace::AccessKind;
using trace::WarpAccess;

// Measured on an H200 without conflicts: float add takes 1 load and 2 atomic wavefronts, 64-bit add 2 and 4.
constexpr u32 kAtomicPassesPerRound = 2;

WarpAccess asLoad(WarpAccess access) {
    access.kind = AccessKind::Load;
    return access;
}

// The lanes that have to try again: of those that want one place, the first has won.
LaneMask losers(const WarpAccess& access) {
    LaneMask losers;
    for (Lane lane : access.active)
        for (Lane earlier : access.active& LaneMask::firstLanes(lane.value))
            if (access.addresses[earlier.value] == access.addresses[lane.value])
                losers = losers | LaneMask::of(lane);
    return losers;
}

SharedAtomicCost loopCost(WarpAccess access, const Profile& profile) {
    SharedAtomicCost cost;
    cost.idealAtomicWavefronts = kAtomicPassesPerRound * idealWavefronts(access, profile);
    cost.idealLoadWavefronts = idealWavefronts(asLoad(access), profile);
    // Not measured: that lanes of one place take turns, a round each. It follows from compare and swap.
    for (; !access.active.empty(); access.active = losers(access)) {
        cost.atomicWavefronts += kAtomicPassesPerRound * sharedWavefronts(access, profile);
        cost.loadWavefronts += sharedWavefronts(asLoad(access), profile);
    }
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
    const bool addsOne =
        operation == ptx::AtomicOp::Add && !operands.empty() && isImmediateOne(operands.back());
    return addsOne && kind == AccessKind::Reduction ? SharedAtomicForm::CountsLanes
                                                    : SharedAtomicForm::Native;
}

SharedAtomicCost sharedAtomicCost(const WarpAccess& access, SharedAtomicForm form, const Profile& profile) {
    if (form == SharedAtomicForm::Loop) return loopCost(access, profile);
    const WarpAccess counted = form == SharedAtomicForm::CountsLanes ? asLoad(access) : access;
    return {.atomicWavefronts = sharedWavefronts(counted, profile),
            .idealAtomicWavefronts = idealWavefronts(counted, profile)};
}

}  // namespace lockstep::model
