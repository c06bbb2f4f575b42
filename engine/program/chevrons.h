// Launches written `<< <` and `>> >`, as some editors format them: nvcc takes them, clang does not.
#pragma once

#include <string>

namespace lockstep::program {

// `kernel << <1, 32>> >(a)` becomes `kernel <<< 1, 32 >>>(a)` without moving what stands around it, so that
// lines and columns stay. Comments and literals are left alone, and so is `>> >` that ends no launch, as it
// may end templates.
std::string joinedChevrons(const std::string& source);

}  // namespace lockstep::program
