#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void total(const int* in, int* out, int n) {
    __shared__ long long sums[4];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    long long s = 0;
    for (unsigned i = cg::this_grid().thread_rank(); i < n; i += 8 * block.size()) s += in[i];
    for (int d = 16; d; d /= 2) s += warp.shfl_xor(s, d);
    if (warp.thread_rank() == 0) sums[warp.meta_group_rank()] = s;
    block.sync();
    if (block.thread_rank() == 96) atomicAdd(out, (int)(sums[0] + sums[1] + sums[2] + sums[3]));
}
