// What the machine makes of an atomic instruction on shared memory: it has adders for some, and loops for the
// others.
#pragma once

#include "model/access/shared_wavefronts.h"
#include "ptx/instruction.h"

namespace lockstep::model {

enum class SharedAtomicForm : u8 {
    Native,          // one lane of a bank a pass
    CompareAndSwap,  // one lane per bank in each wavefront, two passes for each
    CountsLanes,  // atomicAdd(p, 1) with no use for the result: the lanes of one word are counted and added
                  // at once
    Loop,         // load, compute, compare and swap, until no lane has lost: float and 64-bit arithmetic
};
SharedAtomicForm sharedAtomicForm(const ptx::Instruction& instruction, std::span<const ptx::Operand> operands,
                                  trace::AccessKind kind);

// Wavefronts as ncu counts them: under op_atom, and under op_ld for the loads of a loop.
struct SharedAtomicCost {
    u32 atomicWavefronts = 0, idealAtomicWavefronts = 0, loadWavefronts = 0, idealLoadWavefronts = 0;
};
SharedAtomicCost sharedAtomicCost(const trace::WarpAccess& access, SharedAtomicForm form,
                                  const Profile& profile);

}  // namespace lockstep::model
