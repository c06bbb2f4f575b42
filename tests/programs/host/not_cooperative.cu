// A kernel whose blocks meet is launched as any other, and then with more blocks than fit. What is inlined from a
// header counts towards the line in front of it.
#include <cooperative_groups.h>
#include <cstdio>

__global__ void sum(int* a) {
    if (threadIdx.x == 0) a[blockIdx.x] = blockIdx.x;  // finds: limit: The kernel synchronizes the whole grid (grid.sync()), which only a cooperative launch can
    cooperative_groups::this_grid().sync();
    if (blockIdx.x == 0 && threadIdx.x == 0) a[0] = a[1] + a[gridDim.x - 1];
}

int main() {
    int* a;
    cudaMalloc(&a, 100000 * sizeof(int));
    sum<<<4, 32>>>(a);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaDeviceReset();
    cudaMalloc(&a, 100000 * sizeof(int));
    void* arguments[] = {&a};
    printf("%s\n", cudaGetErrorName(cudaLaunchCooperativeKernel((void*)sum, dim3(100000), dim3(32), arguments, 0, 0)));  // finds: launch_refused: a cooperative launch of 100,000 blocks, of which the device holds
    cudaFree(a);
}
