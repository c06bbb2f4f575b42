// P = M x N as the kernels sum it: one fused multiply-add per k, ascending, in f32. So a correct kernel
// matches bit for bit.
#pragma once

#include "catalog/references/references.h"

namespace lockstep::catalog {

Reference matmulReference();

// rows x inner times inner x columns, row-major. False if it was canceled.
bool multiply(const f32* M, const f32* N, f32* P, u64 rows, u64 inner, u64 columns,
              const std::atomic<bool>* cancelled);

// Three nested loops, as written first; the outermost is split over the cores. Products are rounded before
// they are added. If canceled, P is incomplete.
void multiplyAsTaught(const f32* M, const f32* N, f32* P, u64 rows, u64 inner, u64 columns,
                      const std::atomic<bool>* cancelled);

}  // namespace lockstep::catalog
