// CPU references for the kernels' results: one table of functions by the names used in family.toml.
#pragma once

#include "catalog/catalog.h"

#include <atomic>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::catalog {

// A reference's buffers are found by name; their dimensions are fixed, and so are their types unless it takes
// any; their extents must agree.
struct ReferenceBuffer {
    std::string_view name;
    std::optional<ElementType> type;  // none: any
    std::size_t dimensions;
    std::vector<std::string_view> extents = {};  // their names, one for each dimension
};

// A value that it looks up in the experiment.
struct ReferenceParameter {
    std::string_view name;
    std::vector<std::string_view> choices = {};  // labels; empty: an integer from 1
    bool isOptional = false;
};

struct Reference {
    std::string_view name;
    std::vector<ReferenceBuffer> buffers;  // the last is the output
    std::vector<ReferenceParameter> parameters = {};
    std::string_view square = {};              // sets all extents at once, if they are equal: "width"
    std::vector<std::string_view> words = {};  // parts of the names of kernels that compute it, lower case
    // Empty if the extents and values are consistent, else what is wrong.
    Message (*check)(const Experiment&);
    // Output buffers by index; empty if canceled.
    std::map<u32, Buffer> (*compute)(const Experiment&, const std::atomic<bool>* cancelled);
    // The textbook version on all cores: not a reference, but for timing beside the kernels. Sums may be
    // rounded differently. `output`: of the experiment, the last of `buffers`, allocated in advance, so that
    // only the loop is timed. False if canceled.
    bool (*asTaught)(const Experiment&, Buffer& output, const std::atomic<bool>* cancelled) = nullptr;
};

std::span<const Reference> references();
const Reference* findReference(std::string_view name);

// Cancellation check for loops over many elements, polled every 65,536 elements.
inline bool isTimeToStop(u64 element, const std::atomic<bool>* cancelled) {
    return element % 65536 == 0 && cancelled && *cancelled;
}

// Index of the buffer of this name, which must exist.
u32 indexOf(std::span<const Buffer> buffers, std::string_view name);

}  // namespace lockstep::catalog
