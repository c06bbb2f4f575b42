// Merging by ptxas of neighboring shared loads and stores of one thread: if it can prove the alignment, two
// or four become one of 8 or 16 bytes. A tiled matrix product written with 16 loads of 4 bytes along a row
// runs with 4 loads of 16 bytes.
#pragma once

#include "ptx/analysis/shared_layout.h"
#include "ptx/module.h"

#include <vector>

namespace lockstep::model {

// One machine access that replaces several written ones.
struct MergedAccess {
    Pc first;                 // the one of the lowest address
    s32 offsetBytes = 0;      // from its address to the merged access's: negative if a gap is read
    u8 widthBytes = 8;        // of the merged access: 8 or 16; of shorts 4 or 8
    std::vector<Pc> members;  // ascending address, `first` included
};

// All functions that the kernel reaches, ascending first pc of a member. Derived from the machine code of
// ptxas 13.0 for cc 9.0 (110 small kernels, the textbook's and the catalog's); it is the same for 7.5, 8.0,
// 8.6, 8.9, 10.0 and 12.0.
std::vector<MergedAccess> mergedSharedAccesses(const ptx::Module& module, const ptx::Function& entry,
                                               u64 dynamicSharedBytes);

}  // namespace lockstep::model
