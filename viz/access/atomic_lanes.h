// What an atomic does in each lane: its operation, its operands and the value that it found, as far as the
// record tells them.
#pragma once

#include "base/text/words.h"
#include "viz/cursor/lookup.h"
#include "viz/view.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::viz {

class AtomicLanes {
public:
    // Of the step at the cursor, which must be an atomic or a reduction. Operands that the record lacks are
    // taken from a replay of the warp.
    AtomicLanes(const run::Run& run, const Cursor& cursor, const CursorContext& here);

    bool returnsOld() const {
        return returnsOld_;
    }                              // false: nobody uses the old value, and none was recorded
    bool isCas() const;            // compares its first operand with the old value, and stores its second
    std::string function() const;  // as CUDA calls it: "atomicAdd"
    u32 operands() const { return isCas() ? 2 : 1; }
    std::string operand(u32 number, Lane lane,
                        u32 maxCharacters = 8) const;              // empty: the record does not tell it
    std::string oldValue(Lane lane, u32 maxCharacters = 8) const;  // empty: it was not recorded
    std::string newValue(
        Lane lane, u32 maxCharacters = 8) const;  // of old value and operands; empty where one is not known

    // "atomicAdd on counts[5] with operand 1; old value 7, new value 8."
    std::string sentence(Language language, Lane lane, const std::string& place) const;

private:
    using Values = std::array<std::optional<std::vector<std::byte>>, kWarpSize>;
    std::string text(const Values& values, Lane lane, u32 maxCharacters) const;

    const run::Run& run_;
    LaunchId launch_;
    const CursorContext here_;
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

}  // namespace lockstep::viz
