// Which addresses within a basic block are certain distances apart: registers as a root and an offset, where
// a root is a variable's address or what some register held at one time.
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
    // Instructions of the block, in order: call it after the instruction's own operands have been asked for.
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
