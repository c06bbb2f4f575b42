// P = M x N as the kernels sum it: one fused multiply-add per k, ascending, in f32. So a right kernel agrees
// bit for bit.
#pragma once

#include "catalog/references/references.h"

namespace lockstep::catalog {

Reference matmulReference();

// rows x inner times inner x columns, row-major. False if it was canceled.
bool multiply(const f32* M, const f32* N, f32* P, u64 rows, u64 inner, u64 columns,
              const std::atomic<bool>* cancelled);

// Three loops, as everyone writes them first; the outermost is shared among the cores. Each sum is rounded
// after the product, too. What is left of P when it is canceled is of no use.
void multiplyAsTaught(const f32* M, const f32* N, f32* P, u64 rows, u64 inner, u64 columns,
                      const std::atomic<bool>* cancelled);

}  // namespace lockstep::catalog
