// Memory of malloc() in kernels that is used and freed wrongly.
#include <cstdio>

__device__ int* kept;

__global__ void allocate() {
    kept = (int*)malloc(10 * sizeof(int));  // finds: leak: 1 allocation by malloc() in kernels, 40 bytes in all, is never freed.
    kept[10] = 1;                           // finds: out_of_bounds: just past the end of the memory that malloc() returned in line 7 (40 bytes)
    free(kept + 1);                         // finds: invalid_free: an address within the memory that malloc() returned in line 7
}

__global__ void after(int* result) {
    int* memory = (int*)malloc(64);
    memory[0] = 1;
    free(memory);
    result[0] = memory[0];  // finds: invalid_address: the memory that malloc() returned in line 13, which was freed in line 15: use after free
    free(result);           // finds: invalid_free: which malloc() in a kernel did not return
}

__global__ void exhaust() {
    void* memory = malloc(100 << 20);  // finds: heap_remark: 104,857,600 bytes do not fit into the heap of 8 MiB
    free(memory);
}

__global__ void twice() {
    int* memory = (int*)malloc(64);
    free(memory);
    free(memory);  // finds: invalid_free: which was freed in line 27
}

int main() {
    int* result;
    cudaMalloc(&result, 64);
    allocate<<<1, 1>>>();
    after<<<1, 1>>>(result);
    exhaust<<<1, 1>>>();
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(result);
    twice<<<1, 1>>>();
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
