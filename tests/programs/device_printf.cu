// What kernels print appears where the host waits for them.
#include <cstdio>

__global__ void hello() {
    printf("thread %d of block %u: %.2f %s\n", threadIdx.x, blockIdx.x, threadIdx.x / 4.0, threadIdx.x ? "other" : "first");
}

int main() {
    hello<<<2, 2>>>();
    printf("before\n");
    cudaDeviceSynchronize();
    printf("after\n");
}
