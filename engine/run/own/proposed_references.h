// Proposes references for a user's own kernel from its parameters, its name and its code. They are for the
// user to check, never applied automatically.
#pragma once

#include "run/own/own_kernel.h"

#include <span>

namespace lockstep::run {

// A kernel and its launch, as far as known.
struct KernelShape {
    struct Argument {
        bool isBuffer = false;
        ElementType type = ElementType::F32;
        u64 elements = 0;             // of a buffer
        s64 value = 0;                // of an integer, else 0
        std::optional<bool> written;  // whether the kernel writes the buffer; none: not known
        std::string name;             // of the parameter; empty: not known
    };
    std::string entry;
    std::string body;  // its code; empty: not known
    std::vector<Argument> arguments;
    Dim3 grid, block;
    std::vector<std::string> others;  // kernels of the same file with the same parameters
};

// Of a kernel in a file and a launch that has been filled in; an argument that cannot be parsed counts as a
// value.
KernelShape kernelShapeOf(const KernelInFile& kernel, std::span<const std::string> arguments,
                          const std::string& grid, const std::string& block);
// Of a finished run, which shows what was written.
KernelShape kernelShapeOf(const Run& run);

// Most likely first, each as --reference takes it.
std::vector<std::string> proposedReferences(const KernelShape& kernel);

}  // namespace lockstep::run
