// Textbook CPU loops to compare with the kernels of families whose results are expressions: timed on all
// cores, not used as references. A family with a reference has its loop there (references.h).
#pragma once

#include "catalog/references/references.h"

namespace lockstep::catalog {

struct PlainLoop {
    std::string_view family;
    std::vector<std::string_view> variants;
    std::vector<ReferenceBuffer> buffers;
    // Whether the buffers' extents match the loop's, so that it stays in bounds.
    bool (*fits)(const Experiment&);
    std::string_view output;  // its output; empty: one i32, the sum that kernels leave in several parts
    // `result` is from resultOf(), and then holds the sum or the expected output. False if canceled.
    bool (*run)(const Experiment&, Buffer& result, const std::atomic<bool>* cancelled);
};

std::span<const PlainLoop> plainLoops();
// None if the variant has no such loop, or its buffers do not match the loop.
const PlainLoop* findPlainLoop(const Experiment& experiment);
// The result before the loop: allocated in advance, so that only the loop is timed.
Buffer resultOf(const PlainLoop& loop, const Experiment& experiment);

}  // namespace lockstep::catalog
