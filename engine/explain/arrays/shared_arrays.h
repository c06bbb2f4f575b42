// A block's shared arrays with the shapes that their declarations give them, which PTX has forgotten.
#pragma once

#include "base/buffer.h"
#include "explain/cursor/lookup.h"
#include "explain/sentences/address_names.h"
#include "explain/source/source_constants.h"
#include "explain/source/type_layout.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <span>
#include <string>
#include <vector>

namespace lockstep::explain {

struct SharedArray {
    std::string name;
    u64 base = 0, sizeBytes = 0;
    u32 elementBytes = 4;
    ptx::Type type = ptx::Type::B32;  // of an element: as declared, else as the kernel's accesses have it;
                                      // bits where neither tells
    std::vector<u64> shape;           // row-major; one dimension where the source does not tell
    u32 components =
        1;  // elements that one of the source's has: 4 of "float4 tile[64]", whose shape is {256} here
    std::vector<u64> declared = {};  // of such an array: {64}
    TypeLayout layout = {};          // of an element of the source's
    bool isScalar = false;           // no array: its name has no index
    bool contains(u64 address) const { return address >= base && address < base + sizeBytes; }
    u64 elements() const { return sizeBytes / elementBytes; }
    u64 columns() const { return shape.empty() ? elements() : shape.back(); }
    std::string nameOf(u64 element) const;  // as the source would: "Mds[1][0][3]", "tile[4].y"
    std::string extentsText() const;        // "16 × 17"
};
std::vector<SharedArray> sharedArrays(const ptx::Module& module, const Launch& launch);

// Of a buffer (by its number) whose parameter points to vectors or structs, an element of the source's; of
// any other 0 bytes.
TypeLayout elementLayout(const ptx::Module& module, const Launch& launch, u32 buffer);

// For nameOfAddress.
std::vector<ArrayShape> arrayShapes(const ptx::Module& module, const Launch& launch,
                                    std::span<const Buffer> buffers);

// The same of a launch that was recorded.
inline std::vector<SharedArray> sharedArrays(const Recorded& run, LaunchId launch) {
    return sharedArrays(*run.module, launchOf(run, launch));
}
inline TypeLayout elementLayout(const Recorded& run, LaunchId launch, u32 buffer) {
    return elementLayout(*run.module, launchOf(run, launch), buffer);
}
inline std::vector<ArrayShape> arrayShapes(const Recorded& run, LaunchId launch) {
    return arrayShapes(*run.module, launchOf(run, launch), run.recording.initial);
}

// The extents of `name` as declared in the source: by the constants that are known, else names of constants
// all stand for one number: "Mds[T][T + 1]" with 272 elements is {16, 17}. Empty if the text does not settle
// it.
std::vector<u64> declaredShape(std::string_view source, std::string_view name, u64 elements,
                               const Constants& constants = {});
// By known constants alone, whatever it holds: {1024} of "__shared__ Word words[1024]".
std::vector<u64> knownShape(std::string_view source, std::string_view name, const Constants& constants);

// The type of an element of `name` as declared there, of a vector that of its components: F32 of "__shared__
// float4 tile[64]". None where no declaration names a type of CUDA's.
ptx::Type declaredType(std::string_view source, std::string_view name, const TypeNames& types = {});

}  // namespace lockstep::explain
