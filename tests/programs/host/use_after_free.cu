// Freed memory is used by a kernel and by a copy, and freed again.
#include <cstdio>

__global__ void fill(int* a) { a[threadIdx.x] = 1; }  // finds: invalid_address: A thread accesses b, which was freed in line 13: use after free.

int main() {
    int *a, *b, first = 0;
    cudaMalloc(&a, 128);
    cudaMalloc(&b, 128);
    cudaFree(a);
    cudaMemcpy(&first, a, sizeof first, cudaMemcpyDeviceToHost);  // finds: use_after_free: cudaMemcpy is given a, which was freed in line 10.
    cudaFree(a);  // finds: double_free: cudaFree is given a, which was freed in line 10: it is freed twice.
    cudaFree(b);
    fill<<<1, 32>>>(b);  // finds: use_after_free: Argument 1 of kernel fill points to b, which was freed in line 13.
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
