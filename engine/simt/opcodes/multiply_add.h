// Chains of fma.rn.f32 fused with the shared loads of their factors: the inner loop of every tiled matrix
// multiply.
#pragma once

#include "simt/opcodes/opcode.h"
#include "simt/phase_log.h"

namespace lockstep::simt {

// op: from its sum (at[3]) to the chain's result (at[0]). The slots of shared factors are checked
// (OpKind::SharedGroup).
void multiplyAdd(const Op& op, const MultiplyAddOperation& operation, const std::byte* shared,
                 const SlotState* slots, std::byte* frame, u32 mask);

}  // namespace lockstep::simt
