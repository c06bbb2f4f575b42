// Multiplications that the compiler may fuse with the addition that uses their product.
#pragma once

#include "ptx/module.h"

#include <vector>

namespace lockstep::model {

// By pc. PTX ISA, "Floating-Point Instructions: mul, add": without a rounding modifier the compiler may
// contract the two into one fma; with one it may not. A product is followed through mov, neg and abs.
struct Contraction {
    std::vector<bool> multiplications;  // multiplications whose product an addition uses
    std::vector<bool> additions;        // that use a product; each fuses with one multiplication at most
};
Contraction contraction(const ptx::Module& module);

}  // namespace lockstep::model
