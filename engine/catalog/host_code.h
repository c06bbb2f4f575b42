// Host code of a kernel, to copy into a program: memory, copies, launch, and the switch over template
// instances, if any. Stored beside the kernel: kernels/reduction/v5_host.cu of v5.cu.
#pragma once

#include "catalog/catalog.h"

#include <string>

namespace lockstep::catalog {

// CUDA C++; empty: none given.
std::string hostCode(const Family& family, const Variant& variant);

}  // namespace lockstep::catalog
