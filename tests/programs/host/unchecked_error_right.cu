// Each call's error is looked at.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                           \
    do {                                                                      \
        const cudaError_t error = (call);                                     \
        if (error != cudaSuccess) {                                           \
            printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(1);                                                          \
        }                                                                     \
    } while (0)

__global__ void fill(int* a, int n) {
    if (threadIdx.x < n) a[threadIdx.x] = 1;
}

int main() {
    int* a;
    CHECK(cudaMalloc(&a, 32 * sizeof(int)));
    fill<<<1, 64>>>(a, 32);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaFree(a));
    printf("done\n");
}
