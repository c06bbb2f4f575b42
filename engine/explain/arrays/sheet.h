// A piece of memory as rows and columns of elements: a buffer, or an array of shared memory.
#pragma once

#include "explain/arrays/block_part.h"
#include "explain/arrays/shared_arrays.h"
#include "ptx/types.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::explain {

struct Sheet {
    std::string name;
    u64 base = 0, elements = 0, columns = 1;
    u32 bytes = 4;
    trace::Space space = trace::Space::Global;
    ptx::Type type = ptx::Type::F32;
    const Buffer* buffer = nullptr;
    bool isVector = false;            // folded, so that it can be seen: its columns are ours to choose
    bool isMatrix = false;            // its columns are those that the kernel's source or the caller gave it
    const BlockPart* part = nullptr;  // what of it is the block's own
    std::optional<SharedArray> shared = {};  // of shared memory: what the source declares
    TypeLayout layout = {};                  // of a buffer of vectors or structs: of one
    CellRange window{};                      // what of it is shown
    u64 rows() const { return (elements + columns - 1) / columns; }
    bool contains(u64 address) const { return address >= base && address < base + elements * bytes; }
    u64 shownRows() const { return window.endRow - window.firstRow; }
    u64 shownColumns() const { return window.endColumn - window.firstColumn; }
    u64 rowsOfPlane() const {
        return shared && shared->shape.size() > 2 ? shared->shape[shared->shape.size() - 2] : rows();
    }
    std::string nameOf(u64 element) const;  // "M[1][0]", "Mds[1][0][3]", "tile[4].y"
    std::string shapeText() const;          // of a matrix: "16 × 17", "2 × 16 × 64"
    std::string sizeText() const;           // the same, of a vector "[1024]": as short as it goes
    // Elements here that one of the source's has: 4 of a float4.
    u64 components() const {
        const bool isWhole = layout.bytes > bytes && layout.bytes % bytes == 0;
        return isWhole ? layout.bytes / bytes : shared ? std::max(1u, shared->components) : 1;
    }
    u64 sourceElements() const { return elements / components(); }
    void showAll() { window = {0, rows(), 0, columns}; }
};

// Of the run, shared memory as the launch has it. The sheets point into both.
std::vector<Sheet> sheetsOf(const Recorded& run, LaunchId launch, const BlockParts& parts);

}  // namespace lockstep::explain
