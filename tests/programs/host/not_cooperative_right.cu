// The same kernel by cudaLaunchCooperativeKernel(), with blocks that fit.
#include <cooperative_groups.h>
#include <cstdio>

__global__ void sum(int* a) {
    if (threadIdx.x == 0) a[blockIdx.x] = blockIdx.x;
    cooperative_groups::this_grid().sync();
    if (blockIdx.x == 0 && threadIdx.x == 0) a[0] = a[1] + a[gridDim.x - 1];
}

int main() {
    int *a, result = 0;
    cudaMalloc(&a, 100 * sizeof(int));
    void* arguments[] = {&a};
    if (cudaLaunchCooperativeKernel((void*)sum, dim3(100), dim3(32), arguments, 0, 0) != cudaSuccess) return 1;
    cudaMemcpy(&result, a, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d\n", result);
    cudaFree(a);
}
