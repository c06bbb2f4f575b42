// Functions of mathematics that a kernel may call without bringing their code: those of NVIDIA's libdevice,
// by its names ("__nv_sinf"). The host's C library computes them.
#pragma once

#include "base/integers.h"

#include <array>
#include <string_view>

namespace lockstep::simt {

struct MathFunction {
    std::string_view name;
    u64 (*compute)(const std::array<u64, 4>& arguments);  // bits of arguments and result
};

const MathFunction* findMathFunction(std::string_view name);

}  // namespace lockstep::simt
