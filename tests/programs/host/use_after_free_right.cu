// Freed memory is allocated again; a null pointer may be freed as often as one likes.
#include <cstdio>

__global__ void fill(int* a) { a[threadIdx.x] = 1; }

int main() {
    int *a, first = 0;
    cudaMalloc(&a, 128);
    cudaFree(a);
    cudaMalloc(&a, 128);
    fill<<<1, 32>>>(a);
    cudaMemcpy(&first, a, sizeof first, cudaMemcpyDeviceToHost);
    cudaFree(a);
    a = nullptr;
    cudaFree(a);
    cudaFree(a);
    printf("%d\n", first);
}
