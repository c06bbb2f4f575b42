// A block of 2,048 threads: the kernel never runs.
#include <cstdio>

__global__ void fill(int* a) { a[threadIdx.x] = 1; }

int main() {
    int *a, first = -1;
    cudaMalloc(&a, 2048 * sizeof(int));
    cudaMemset(a, 0, 2048 * sizeof(int));
    fill<<<1, 2048>>>(a);  // finds: launch_refused: The launch of fill was refused: a block of 2048x1x1 has too many threads
    cudaMemcpy(&first, a, sizeof first, cudaMemcpyDeviceToHost);
    printf("%d\n", first);
    cudaFree(a);
}
