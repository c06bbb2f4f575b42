// The multiply of the textbook's CPU column: the baseline for the first GPU version.
#include "catalog/references/reference_matmul.h"

namespace lockstep::catalog {

// cpu loop matmul
void multiplyAsTaught(const f32* M, const f32* N, f32* P, u64 rows, u64 inner, u64 columns,
                      const std::atomic<bool>* cancelled) {
#ifdef _OPENMP
#pragma omp parallel for
#endif
    for (u64 row = 0; row < rows; ++row) {
        if (cancelled && cancelled->load(std::memory_order_relaxed)) continue;
        for (u64 column = 0; column < columns; ++column) {
            f32 sum = 0;
            for (u64 k = 0; k < inner; ++k)
                sum += M[row * inner + k] * N[k * columns + column];
            P[row * columns + column] = sum;
        }
    }
}
// end of cpu loop

}  // namespace lockstep::catalog
