// Where a kernel's shared variables lie in the shared memory of its block.
#pragma once

#include "ptx/module.h"

#include <vector>

namespace lockstep::model {

struct SharedLayout {
    struct Placed {
        ptx::VariableId variable;
        u64 offsetBytes = 0, sizeBytes = 0;  // of a dynamic array: all of the launch's dynamic bytes
    };
    std::vector<Placed> variables;  // ascending offset; dynamic arrays all lie at one offset
    u64 staticBytes = 0, totalBytes = 0;
};

// Static arrays of the functions that the kernel reaches, in the order of declaration, each at its alignment;
// behind them the dynamic ones. The emulator lays them out in the same way.
SharedLayout sharedLayout(const ptx::Module& module, const ptx::Function& entry, u64 dynamicBytes);

// The functions with a body that the entry reaches by calls, itself first.
std::vector<ptx::FunctionId> reachableFunctions(const ptx::Module& module, const ptx::Function& entry);

}  // namespace lockstep::model
