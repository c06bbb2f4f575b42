// Which functions a kernel reaches, which variables they use, and the offsets of the shared ones in the
// block's shared memory. Emulator, model and views all use this, so that an offset means the same everywhere.
#pragma once

#include "ptx/module.h"

#include <vector>

namespace lockstep::ptx {

struct SharedLayout {
    struct Placed {
        VariableId variable;
        u64 offsetBytes = 0, sizeBytes = 0;  // of a dynamic array: all of the launch's dynamic bytes
    };
    std::vector<Placed> variables;  // ascending offset; dynamic arrays all lie at one offset
    u64 staticBytes = 0, totalBytes = 0;
};

// Static arrays that the kernel uses, in the order of declaration, each at its alignment; behind them, at one
// address, the dynamic ones.
SharedLayout sharedLayout(const Module& module, const Function& entry, u64 dynamicBytes);
// The same for those who know already what is used: by VariableId.
SharedLayout sharedLayout(const Module& module, const std::vector<bool>& used, u64 dynamicBytes);

// The functions with a body that the entry reaches by calls, itself first.
std::vector<FunctionId> reachableFunctions(const Module& module, const Function& entry);
// Special registers that they read.
std::vector<Special> usedSpecials(const Module& module, const std::vector<FunctionId>& functions);
// By VariableId: the functions' own variables, and those of the module that their instructions name.
std::vector<bool> usedVariables(const Module& module, const std::vector<FunctionId>& functions);

}  // namespace lockstep::ptx
