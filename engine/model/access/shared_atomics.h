// How the hardware runs an atomic on shared memory: some operations have native units, others are loops.
#pragma once

#include "model/access/shared_wavefronts.h"
#include "ptx/instruction.h"

namespace lockstep::model {

enum class SharedAtomicForm : u8 {
    Native,          // one lane per bank in each wavefront
    CompareAndSwap,  // one lane per bank at a time, two wavefronts for each
    CountsLanes,     // atomicAdd(p, 1), result unused: the lanes of one word are counted and added
                     // at once
    Loop,            // load, compute, compare and swap until all have succeeded: float, 64-bit
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
