// Memory of malloc() in kernels that is used as it should be, also by other threads after it was freed.
#include <cstdio>

__device__ int* kept;

__global__ void allocate() {
    kept = (int*)malloc(10 * sizeof(int));
    kept[9] = 1;
    free(nullptr);
}

__global__ void release(int* result) {
    result[0] = kept[9];
    free(kept);
}

// More than there is room for, one after the other.
__global__ void often() {
    for (int i = 0; i < 20; ++i) {
        char* memory = (char*)malloc(100000);
        if (!memory) continue;
        for (int k = 0; k < 3; ++k)
            memory[k] = char(threadIdx.x + k);
        free(memory);
    }
}

int main() {
    int* result;
    cudaMallocManaged(&result, 64);
    allocate<<<1, 1>>>();
    release<<<1, 1>>>(result);
    often<<<4, 32>>>();
    cudaDeviceSynchronize();
    printf("%d\n", result[0]);
    cudaFree(result);
}
