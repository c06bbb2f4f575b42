// The tile is filled from its end, so that 63 - t is right again.
#include <cooperative_groups.h>
__global__ void reverse(const int* in, int* out, int n) {
    __shared__ int tile[64];
    auto block = cooperative_groups::this_thread_block();
    int t = block.thread_rank(), first = blockIdx.x * 64, gap = max(0, first + 64 - n);
    if (first + t < n) tile[t + gap] = in[first + t];
    block.sync();
    if (first + t < n) out[first + t] = tile[63 - t];
}
