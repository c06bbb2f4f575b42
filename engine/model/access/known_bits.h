// What is known of the lowest bits of a kernel's registers, whatever its arguments: how alignment is proven.
// tile + 64 * tid.y ends in six zeros if the tile begins at such an address, though nobody knows tid.y. It
// knows what ptxas knows: of a sum with something unknown in it no more than the zeros at its end.
#pragma once

#include "ptx/analysis/shared_layout.h"
#include "ptx/module.h"

#include <vector>

namespace lockstep::model {

struct KnownBits {
    u32 value = 0;  // modulo 2^known
    u8 known = 0;   // how many bits, at most 32
    bool constant =
        false;  // made of constants alone: a number, or what a loop that counts from a number has in common
    static constexpr u8 kMost = 32;
    bool operator==(const KnownBits&) const = default;
};

// By RegisterId of the function: what holds at every read, over all definitions together. Nothing is known of
// parameters, of what memory holds and of thread numbers.
std::vector<KnownBits> knownLowBits(const ptx::Module& module, const ptx::Function& function,
                                    const ptx::SharedLayout& layout);

// Address of a variable: of a static shared one its place in the block's memory, of others what their
// alignment says.
KnownBits lowBitsOfAddress(const ptx::Module& module, ptx::VariableId variable,
                           const ptx::SharedLayout& layout);

KnownBits plus(KnownBits a, KnownBits b);
KnownBits constantBits(u64 value);

}  // namespace lockstep::model
