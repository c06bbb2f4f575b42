// The accesses of all variants of a family, side by side: if they differ in one access of a warp, comparing
// all teaches more than looking at one.
#pragma once

#include "base/text/text.h"
#include "catalog/catalog.h"
#include "run/resources.h"
#include "trace/access.h"

#include <string>
#include <vector>

namespace lockstep::run {

// For each warp of a variant's first block: the last global load before the warp's first global store, whose
// value is stored. No active lanes if a warp loads nothing.
struct VariantAccess {
    std::string variant;  // "stride"
    Text title;
    std::vector<trace::WarpAccess> ofWarps;
    u32 threads = 0;  // of the block; the last warp may be partial
};

// Whether the family's variants differ in what one load accesses: those whose stage is "coalescing".
bool isToldByAccesses(const catalog::Family& family);

// For all variants of the family, in order, run on the emulator with these values, but on no more blocks than
// by default: sizes that determine the grid are limited to their defaults. Omits variants that cannot run
// with them, or load nothing.
std::vector<VariantAccess> accessesOfVariants(const Resources& resources, const catalog::Family& family,
                                              const catalog::Values& values);

}  // namespace lockstep::run
