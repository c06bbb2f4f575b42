// Known low bits of a kernel's registers, whatever its arguments; this is how alignment is proven. tile + 64
// * tid.y has six trailing zeros if the tile's address has, although tid.y is unknown. Proves what ptxas
// proves: of a sum with an unknown term, only the trailing zeros.
#pragma once

#include "ptx/analysis/shared_layout.h"
#include "ptx/module.h"

#include <vector>

namespace lockstep::model {

struct KnownBits {
    u32 value = 0;          // modulo 2^known
    u8 known = 0;           // number of known bits, at most 32
    bool constant = false;  // from constants alone: a number, or what all values of a loop counter share
    static constexpr u8 kMost = 32;
    bool operator==(const KnownBits&) const = default;
};

// By RegisterId of the function: what holds at every read, over all definitions. Parameters, loaded values
// and thread indices are unknown.
std::vector<KnownBits> knownLowBits(const ptx::Module& module, const ptx::Function& function,
                                    const ptx::SharedLayout& layout);

// Address of a variable: its offset in the block's memory if static shared, else what its alignment implies.
KnownBits lowBitsOfAddress(const ptx::Module& module, ptx::VariableId variable,
                           const ptx::SharedLayout& layout);

KnownBits plus(KnownBits a, KnownBits b);
KnownBits constantBits(u64 value);

}  // namespace lockstep::model
