// Tiles of tiles: their ranks are those within the tile that they are a part of.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void ranks(int* out) {
    const cg::thread_block block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    const auto four = cg::tiled_partition<4>(warp);
    const auto two = cg::tiled_partition<2>(four);
    int* const mine = out + 9 * block.thread_rank();
    mine[0] = int(warp.meta_group_rank()), mine[1] = int(warp.meta_group_size()), mine[2] = int(four.meta_group_rank());
    mine[3] = int(four.meta_group_size()), mine[4] = int(two.meta_group_rank()), mine[5] = int(two.meta_group_size());
    mine[6] = int(four.thread_rank()), mine[7] = four.shfl(int(block.thread_rank()), 0), mine[8] = int(four.ballot(four.thread_rank() == 1));
}

int main() {
    int *d, h[96 * 9];
    cudaMalloc(&d, sizeof h);
    ranks<<<1, 96>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int thread : {0, 7, 38, 95}) {
        for (int i = 0; i < 9; ++i) printf("%d ", h[thread * 9 + i]);
        printf("\n");
    }
    cudaFree(d);
}
