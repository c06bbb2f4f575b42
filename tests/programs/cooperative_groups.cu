// Tiles of a warp, and a grid whose blocks wait for each other.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void sum(const int* in, int* out, int n) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    int i = blockIdx.x * blockDim.x + block.thread_rank();
    int v = i < n ? in[i] : 0;
    for (int d = tile.size() / 2; d > 0; d /= 2) v += tile.shfl_down(v, d);
    if (tile.thread_rank() == 0) atomicAdd(out, v);
}
__global__ void twoPhases(int* a, int* total) {
    cg::grid_group grid = cg::this_grid();
    a[grid.thread_rank()] = grid.thread_rank();
    grid.sync();
    if (grid.thread_rank() == 0) { int s = 0; for (int i = 0; i < grid.size(); ++i) s += a[i]; *total = s; }
}
int main() {
    int h[100], *d, *r; for (int i = 0; i < 100; ++i) h[i] = i;
    cudaMalloc(&d, sizeof h); cudaMalloc(&r, 4); cudaMemset(r, 0, 4); cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    sum<<<2, 64>>>(d, r, 100);
    int s; cudaMemcpy(&s, r, 4, cudaMemcpyDeviceToHost); printf("%d\n", s);
    int* a; cudaMalloc(&a, 128 * 4);
    void* args[] = {&a, &r};
    cudaLaunchCooperativeKernel(twoPhases, 4, 32, args);
    cudaMemcpy(&s, r, 4, cudaMemcpyDeviceToHost); printf("%d\n", s);
    cudaFree(a); cudaFree(d); cudaFree(r);
}
