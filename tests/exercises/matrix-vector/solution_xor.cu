#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void matvec(const int* A, const int* x, int* y, int rows, int columns) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();
    const int* a = A + row * columns;
    int s = 0;
    if (row < rows) for (int k = warp.thread_rank(); k < columns; k += 32) s = a[k] * x[k] + s;
    for (int d = 1; d < 32; d += d) s += warp.shfl_xor(s, d);
    if (row < rows && warp.thread_rank() == 31) y[row] = s;
}
