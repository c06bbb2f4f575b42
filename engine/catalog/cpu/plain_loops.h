// The loops that a course sets beside its kernels, of the families whose results are expressions: to be timed
// on all cores, not to check by. A family whose results have a reference has its loop there (references.h).
#pragma once

#include "catalog/references/references.h"

namespace lockstep::catalog {

struct PlainLoop {
    std::string_view family;
    std::vector<std::string_view> variants;
    std::vector<ReferenceBuffer> buffers;
    // Whether the buffers' extents are those that the loop goes through; it asks for no element outside them
    // then.
    bool (*fits)(const Experiment&);
    std::string_view output;  // what it writes; empty: one i32, the sum that kernels leave in several parts
    // `result` is resultOf() of it, which holds the sum or what the output should, then. False if canceled.
    bool (*run)(const Experiment&, Buffer& result, const std::atomic<bool>* cancelled);
};

std::span<const PlainLoop> plainLoops();
// None where the variant has no such loop, or has been given buffers that it does not go through.
const PlainLoop* findPlainLoop(const Experiment& experiment);
// As it is before the loop: made beforehand, so that the time is the loop's alone.
Buffer resultOf(const PlainLoop& loop, const Experiment& experiment);

}  // namespace lockstep::catalog
