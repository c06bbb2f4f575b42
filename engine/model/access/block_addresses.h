// Which addresses in a basic block are a known distance apart: each register as a root plus an offset. A root
// is a variable's address or the value of some register at one point.
#pragma once

#include "model/access/known_bits.h"

#include <map>
#include <optional>

namespace lockstep::model {

using Root = u32;
struct RootedAddress {
    Root root = 0;
    s64 offsetBytes = 0;
};

class BlockAddresses {
public:
    BlockAddresses(const ptx::Module& module, const ptx::Function& function, const ptx::SharedLayout& layout);

    // Roots of one block mean nothing in another.
    void beginBlock();
    // Call it for the block's instructions in order, after querying the instruction's own operands.
    void pass(const ptx::Instruction& instruction);

    RootedAddress of(ptx::RegisterId id);
    RootedAddress of(const ptx::AddressOperand& operand);
    KnownBits knownBits(RootedAddress address) const;

private:
    RootedAddress of(ptx::VariableId id);
    // The sum of a value and a constant, if that is what the instruction computes.
    std::optional<RootedAddress> sumOf(const ptx::Instruction& instruction);
    RootedAddress newRoot(KnownBits bits);

    const ptx::Module& module_;
    const ptx::SharedLayout& layout_;
    std::vector<KnownBits> registerBits_, rootBits_;
    std::vector<std::optional<Pc>> onlyDefinition_;  // by register
    std::map<ptx::RegisterId, RootedAddress> registers_;
    std::map<ptx::VariableId, RootedAddress> variables_;
    u32 depth_ = 0;
};

}  // namespace lockstep::model
