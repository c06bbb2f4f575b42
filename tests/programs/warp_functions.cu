// Reductions of a warp, dot products of bytes, and groups of lanes that need not lie side by side.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void reduce(int* out) {
    const int lane = threadIdx.x, value = lane - 10;
    const int sums[] = {__reduce_add_sync(0xffffffffu, value),
                        __reduce_min_sync(0xffffffffu, value),
                        __reduce_max_sync(0xffffffffu, value),
                        int(__reduce_or_sync(0xffffffffu, 1u << lane)),
                        int(__reduce_xor_sync(0xffffffffu, unsigned(lane))),
                        __dp4a(0x01020304, 0x05060708, 100),
                        int(__dp4a(0xff020304u, 0x02060708u, 0u))};
    __nanosleep(10);
    for (int i = 0; lane == 0 && i < 7; ++i)
        out[i] = sums[i];
}

__global__ void groups(int* out) {
    const cg::coalesced_group all = cg::coalesced_threads();
    if (threadIdx.x % 3 == 1) {
        const cg::coalesced_group some = cg::coalesced_threads();  // lanes 1, 4, 7 ...
        const int rank = some.thread_rank();
        out[rank] = some.shfl_down(rank, 2) * 10000 + some.shfl_up(rank, 1) * 100 + some.size();
        const unsigned odd = some.ballot(rank & 1);
        if (rank == 0) out[20] = odd;
    }
    const cg::coalesced_group same = cg::labeled_partition(all, threadIdx.x % 5);
    if (threadIdx.x == 13) out[21] = same.size() * 100 + same.thread_rank();
    const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    const cg::coalesced_group half = cg::labeled_partition(tile, threadIdx.x % 2);
    if (threadIdx.x == 31) out[22] = half.size() * 100 + half.thread_rank();
}

int main() {
    int *d, h[32];
    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    reduce<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d %d %x %d %d %d\n", h[0], h[1], h[2], h[3], h[4], h[5], h[6]);
    groups<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d, %x, %d %d\n", h[0], h[1], h[8], h[9], h[20], h[21], h[22]);
    cudaFree(d);
}
