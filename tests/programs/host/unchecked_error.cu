// A kernel goes past the end: waiting for it says so, but what it returns is not used.
#include <cstdio>

__global__ void fill(int* a, int n) {
    if (threadIdx.x <= n) a[threadIdx.x] = 1;  // finds: out_of_bounds: Thread 32 of block 0 writes a[32], just past the end of a
}

int main() {
    int* a;
    cudaMalloc(&a, 32 * sizeof(int));
    fill<<<1, 64>>>(a, 32);
    cudaDeviceSynchronize();  // finds: unchecked_error: cudaDeviceSynchronize failed with cudaErrorIllegalAddress, and the program went on
    fill<<<1, 64>>>(a, 31);
    printf("done\n");
    cudaDeviceReset();
}
