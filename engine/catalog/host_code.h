// The host's side of a kernel, to be copied into a program: memory, copies, launch, and the switch over
// template instances where there is one. It lies beside the kernel: kernels/reduction/v5_host.cu of v5.cu.
#pragma once

#include "catalog/catalog.h"

#include <string>

namespace lockstep::catalog {

// CUDA C++; empty: none is given.
std::string hostCode(const Family& family, const Variant& variant);

}  // namespace lockstep::catalog
