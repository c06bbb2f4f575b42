// Addresses in the words of the source: "M[1][0]", "Mds + 12 bytes".
#pragma once

#include "explain/source/type_layout.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <span>
#include <string>
#include <vector>

namespace lockstep::explain {

// What PTX does not say about a shared array, or a variable of the module: {"Mds", {16, 16}, 4}; of vectors
// and structs {"words", {1024}, 16} with their layout. Of a buffer whose pointer is one to these, the same.
struct ArrayShape {
    std::string name;
    std::vector<u64> shape;  // row-major; empty, where it is no buffer: no array
    u32 elementBytes = 4;
    TypeLayout layout = {};
    bool isBuffer = false;
};

// An address in the words of the source; empty if nothing is known. Buffers by their shapes; shared variables
// by the module's symbols, with indices only where `shapes` has theirs. Outside of a buffer the index is the
// one that was asked for: M[3][0], M[-1].
std::string nameOfAddress(const trace::WarpAccess& access, Lane lane, const ptx::Module& module,
                          const trace::Recording& recording, std::span<const ArrayShape> shapes = {});

// Of global memory: a buffer's, or a variable's of the module.
std::string nameOfGlobalAddress(u64 address, u32 widthBytes, const ptx::Module& module,
                                const trace::Recording& recording, std::span<const ArrayShape> shapes);

// The parts of it. `widthBytes` covers several elements of a vector access: "M[0][4..7]". element: of
// the source's, where that is a vector or a struct of the buffer's: "in[3]", "in[3].y".
std::string nameOfBufferBytes(const Buffer& buffer, s64 offsetBytes, u32 widthBytes,
                              const TypeLayout& element = {});
// The same of one element, whose buffer is one of these: "P[1][1]"; "P[17]" where it is none.
std::string nameOfElement(std::span<const Buffer> buffers, const std::string& buffer, u64 index);
std::string nameOfSharedBytes(u64 offsetBytes, u32 widthBytes, const ptx::Module& module,
                              const ptx::Function& entry, u64 dynamicBytes,
                              std::span<const ArrayShape> shapes = {});

// The launched kernel in whose code `pc` lies: the entry itself, or the first launched one that calls that
// function.
struct LaunchedEntry {
    const ptx::Function* entry = nullptr;
    const Launch* launch = nullptr;
};
LaunchedEntry launchedEntryOf(Pc pc, const ptx::Module& module, const trace::Recording& recording);

}  // namespace lockstep::explain
