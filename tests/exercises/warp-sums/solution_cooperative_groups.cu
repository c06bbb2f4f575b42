#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void warp_sums(const int* in, int* out, int n) {
    auto w = cg::tiled_partition<32>(cg::this_thread_block());
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int s = cg::reduce(w, i < n ? in[i] : 0, cg::plus<int>());
    if (w.thread_rank() == 0 && i < n) out[i / 32] = s;
}
