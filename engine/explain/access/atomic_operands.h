// What an atomic does in each lane: its operation, its operands and the value that it found, as far as the
// record tells them.
#pragma once

#include "base/lane_mask.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep::explain {

class AtomicOperands {
public:
    using Bytes = std::optional<std::vector<std::byte>>;  // none: the record does not tell them

    // Of a warp's step, which must be an atomic or a reduction. Operands that the record lacks are taken from
    // a replay of the warp. buffers: how many the run has.
    AtomicOperands(const ptx::Module& module, const Launch& launch, std::size_t buffers,
                   const trace::FocusBlock& block, Warp warp, u32 step);

    bool returnsOld() const {
        return returnsOld_;
    }                              // false: nothing uses the old value, and none was recorded
    bool isCas() const;            // compares its first operand with the old value, and stores its second
    std::string function() const;  // as CUDA calls it: "atomicAdd"
    u32 operands() const { return isCas() ? 2 : 1; }
    const Bytes& operand(u32 number, Lane lane) const { return operands_[number][lane.value]; }
    const Bytes& oldValue(Lane lane) const { return old_[lane.value]; }
    Bytes newValue(Lane lane) const;  // of old value and operands

private:
    using Values = std::array<Bytes, kWarpSize>;

    const ptx::Instruction& instruction_;
    bool returnsOld_;
    std::array<Values, 2> operands_{};
    Values old_{};
};

// What the word holds after an atomic with this operand; none where the operation has no such form.
std::optional<std::vector<std::byte>> afterAtomic(const ptx::Instruction& instruction,
                                                  std::span<const std::byte> old,
                                                  std::span<const std::byte> first,
                                                  std::span<const std::byte> second = {});
// The operand of every lane where it stands in the code: atom.add [...], 1.
std::optional<std::vector<std::byte>> immediateOperand(const ptx::Module& module, Pc pc, u32 number,
                                                       u32 bytes);

}  // namespace lockstep::explain
