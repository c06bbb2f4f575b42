// cudaMalloc() fails, and the program takes less.
#include <cstdio>

__global__ void fill(int* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = i;
}

int main() {
    int *a = nullptr, last = -1;
    if (cudaMalloc(&a, size_t(1) << 45) != cudaSuccess && cudaMalloc(&a, 1024) != cudaSuccess) return 1;
    cudaGetLastError();  // which stays until it is asked for
    fill<<<1, 256>>>(a, 256);
    if (cudaGetLastError() != cudaSuccess) return 1;
    const cudaError_t copied = cudaMemcpy(&last, a + 255, sizeof last, cudaMemcpyDeviceToHost);
    printf("%d %s\n", last, cudaGetErrorString(copied));
    cudaFree(a);
}
