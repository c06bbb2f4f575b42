// Sum with cooperative groups: a reduction in each tile of 32 threads and one atomic addition for each tile.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void sum_cg(float *total, const float *data, int n)
{
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);

    float part = 0.f;
    for (int i = blockIdx.x * blockDim.x + block.thread_rank(); i < n; i += gridDim.x * blockDim.x)
        part += data[i];

    part = cg::reduce(tile, part, cg::plus<float>());
    if (tile.thread_rank() == 0)
        atomicAdd(total, part);
}
