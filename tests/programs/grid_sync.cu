// Cooperative launches: blocks that meet again and again, one on each multiprocessor, in three dimensions.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

// Each round, a block reads what the next one wrote in the round before.
__global__ void pass_on(int* a, int* b, int rounds) {
    const cg::grid_group grid = cg::this_grid();
    const int block = grid.block_rank(), blocks = grid.num_blocks();
    for (int round = 0; round < rounds; ++round) {
        int* const from = round % 2 ? b : a;
        int* const to = round % 2 ? a : b;
        if (threadIdx.x == 0) to[block] = from[(block + 1) % blocks] + 1;
        grid.sync();
    }
}

__global__ void is_valid(int* out) { *out = cg::this_grid().is_valid(); }

int main() {
    cudaDeviceProp device;
    cudaGetDeviceProperties(&device, 0);
    int perSm = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSm, pass_on, 64, 0);
    const int most = (perSm > 0) * device.multiProcessorCount;
    int *a, *b, *flag, value = -1;
    cudaMalloc(&a, most * sizeof(int));
    cudaMalloc(&b, most * sizeof(int));
    cudaMalloc(&flag, sizeof(int));
    for (dim3 grid : {dim3(5), dim3(3, 2, 4), dim3(most)}) {
        cudaMemset(a, 0, most * sizeof(int));
        int rounds = 3;
        void* arguments[] = {&a, &b, &rounds};
        cudaError_t error = cudaLaunchCooperativeKernel((void*)pass_on, grid, dim3(64), arguments, 0, 0);
        cudaMemcpy(&value, b, sizeof value, cudaMemcpyDeviceToHost);
        printf("%s %d\n", cudaGetErrorName(error), value);
    }
    void* arguments[] = {&flag};
    cudaLaunchCooperativeKernel((void*)is_valid, dim3(1), dim3(1), arguments, 0, 0);
    cudaMemcpy(&value, flag, sizeof value, cudaMemcpyDeviceToHost);
    printf("cooperative: %d\n", value);
    is_valid<<<1, 1>>>(flag);
    cudaMemcpy(&value, flag, sizeof value, cudaMemcpyDeviceToHost);
    printf("<<<>>>: %d\n", value);
    cudaFree(a);
    cudaFree(b);
    cudaFree(flag);
}
