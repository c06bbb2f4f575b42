// What the variants of a family reach for, one beside the other: where they differ in one access of a warp, a
// look at all of them teaches more than a look at one.
#pragma once

#include "base/text/text.h"
#include "catalog/catalog.h"
#include "run/resources.h"
#include "trace/access.h"

#include <string>
#include <vector>

namespace lockstep::run {

// Of each warp of a variant's first block the last load from global memory before the warp's first store
// there: what the store writes. No active lanes where a warp loads nothing.
struct VariantAccess {
    std::string variant;  // "stride"
    Text title;
    std::vector<trace::WarpAccess> ofWarps;
    u32 threads = 0;  // of the block; the last warp may be partial
};

// Whether the family's variants differ in what one load reaches for: those whose stage is "coalescing".
bool isToldByAccesses(const catalog::Family& family);

// Of all variants of the family, in its order, as the emulator runs them with these values, but on no more
// blocks than by default: sizes that the grid is made from are no larger than that. A variant that cannot run
// with them, or loads nothing, is left out.
std::vector<VariantAccess> accessesOfVariants(const Resources& resources, const catalog::Family& family,
                                              const catalog::Values& values);

}  // namespace lockstep::run
