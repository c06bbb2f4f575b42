// What a kernel's registers hold in the words of its source, where the code alone proves it: a parameter, an
// index made of parameters and thread numbers, an element or its address.
#pragma once

#include "explain/sentences/address_names.h"
#include "ptx/module.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::explain {

// A parameter in the declaration of a kernel: "const float* M" is {"const float*", "M"}.
struct DeclaredParameter {
    std::string type, name;
    bool operator==(const DeclaredParameter&) const = default;
};
// Those of `kernel` ("mm_tiled") in a .cu; none where the text does not settle them.
std::vector<DeclaredParameter> declaredParameters(std::string_view source, std::string_view kernel);

// A parameter as the source calls it. elementBytes: of what a pointer points to, 0 where that is not known.
struct ParameterName {
    std::string name;
    bool isPointer = false;
    u32 elementBytes = 0;
};

// By RegisterId: "width", "2 * blockIdx.y + threadIdx.y", "row < width", "Mds[threadIdx.y][0]" of what was
// loaded from there,
// "&M[threadIdx.x]" of an address. Empty where a register is written in several places, or from one that is.
// Whole numbers are taken not to overflow, as C++ does. parameters: of the kernel, in order; those without a
// name prove nothing.
std::vector<std::string> registerNames(const ptx::Module& module, const ptx::Function& kernel,
                                       std::span<const ParameterName> parameters,
                                       std::span<const ArrayShape> shapes = {});

}  // namespace lockstep::explain
