// The block is as large as the device allows.
#include <cstdio>

__global__ void fill(int* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = 1;
}

int main() {
    int *a, first = -1;
    cudaDeviceProp device;
    if (cudaGetDeviceProperties(&device, 0) != cudaSuccess) return 1;
    cudaMalloc(&a, 2048 * sizeof(int));
    const int block = device.maxThreadsPerBlock;
    fill<<<(2048 + block - 1) / block, block>>>(a, 2048);
    if (cudaGetLastError() != cudaSuccess) return 1;
    cudaMemcpy(&first, a, sizeof first, cudaMemcpyDeviceToHost);
    printf("%d\n", first);
    cudaFree(a);
}
