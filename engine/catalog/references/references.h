// What the kernels should compute, computed on the CPU: one table of functions by name, as family.toml names
// them.
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

// The buffers a reference works on are found by name; their dimensions are fixed, their types too unless it
// takes any; their extents must agree.
struct ReferenceBuffer {
    std::string_view name;
    std::optional<ElementType> type;  // none: any
    std::size_t dimensions;
    std::vector<std::string_view> extents = {};  // their names, one for each dimension
};

// A value it looks up in the experiment.
struct ReferenceParameter {
    std::string_view name;
    std::vector<std::string_view> choices = {};  // labels; empty: a whole number from 1
    bool isOptional = false;
};

struct Reference {
    std::string_view name;
    std::vector<ReferenceBuffer> buffers;  // the last is the output
    std::vector<ReferenceParameter> parameters = {};
    std::string_view square = {};              // sets all extents at once, where they are the same: "width"
    std::vector<std::string_view> words = {};  // parts of names of kernels that compute it, in lower case
    // Empty if the extents and values go together, else what is wrong with them.
    Message (*check)(const Experiment&);
    // Output buffers by index; empty if canceled.
    std::map<u32, Buffer> (*compute)(const Experiment&, const std::atomic<bool>* cancelled);
    // The same as a textbook writes it, on all cores: not to check by, but for its time beside the kernels'.
    // Sums may be rounded otherwise. `output`: of the experiment, the last of `buffers`, made beforehand, so
    // that the time is the loop's alone. False if canceled.
    bool (*asTaught)(const Experiment&, Buffer& output, const std::atomic<bool>* cancelled) = nullptr;
};

std::span<const Reference> references();
const Reference* findReference(std::string_view name);

// For loops over many elements: whether the result is not wanted any more, asked every 65,536 elements.
inline bool isTimeToStop(u64 element, const std::atomic<bool>* cancelled) {
    return element % 65536 == 0 && cancelled && *cancelled;
}

// Index of the buffer of this name; it exists.
u32 indexOf(std::span<const Buffer> buffers, std::string_view name);

}  // namespace lockstep::catalog
