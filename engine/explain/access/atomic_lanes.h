// What an atomic does in each lane, in words: explain::AtomicOperands as texts.
#pragma once

#include "base/text/language.h"
#include "explain/access/atomic_operands.h"
#include "explain/cursor/lookup.h"

#include <string>

namespace lockstep::explain {

class AtomicLanes {
public:
    // Of the step at the cursor, which must be an atomic or a reduction.
    AtomicLanes(const Recorded& run, const Cursor& cursor, const CursorContext& here);

    const AtomicOperands& facts() const { return facts_; }
    // Empty where it is not known.
    std::string operand(u32 number, Lane lane, u32 maxCharacters = 8) const;
    std::string oldValue(Lane lane, u32 maxCharacters = 8) const;
    std::string newValue(Lane lane, u32 maxCharacters = 8) const;

    // "atomicAdd on counts[5] with operand 1; old value 7, new value 8."
    std::string sentence(Language language, Lane lane, const std::string& place) const;

private:
    std::string text(const AtomicOperands::Bytes& bytes, Lane lane, u32 maxCharacters) const;

    Recorded run_;
    LaunchId launch_;
    const CursorContext here_;
    AtomicOperands facts_;
};

}  // namespace lockstep::explain
