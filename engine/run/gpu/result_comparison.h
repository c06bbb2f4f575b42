// Compares the emulator's results with a GPU's, as far as the kernel defines them.
#pragma once

#include "base/buffer.h"
#include "ptx/module.h"

#include <span>

namespace lockstep::run {

// Relative tolerance, of the larger value, if the arithmetic is not exact: sums in another order,
// approximations.
inline constexpr f64 kResultTolerance = 1e-5;

enum class Agreement : u8 {
    Equal,           // bit for bit or, of real numbers, within kResultTolerance
    InAnotherOrder,  // some buffers hold the same elements at other positions, which the results of atomics
                     // decide where
    Differ,
};

struct ResultComparison {
    Agreement agreement = Agreement::Equal;
    u64 differing = 0;  // elements of all buffers, bit for bit
    f64 largest = 0;    // difference; NaN where one side is
};

// The buffers that both left after the launches, from the same initial contents.
ResultComparison compareResults(const ptx::Module& module, std::span<const Launch> launches,
                                std::span<const Buffer> emulated, std::span<const Buffer> measured);

}  // namespace lockstep::run
