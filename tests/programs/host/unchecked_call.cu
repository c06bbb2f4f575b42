// cudaMalloc() fails, and the program goes on with a pointer that is none.
#include <cstdio>

__global__ void fill(int* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = i;
}

int main() {
    int *a = nullptr, first = -1;
    cudaMalloc(&a, size_t(1) << 45);  // finds: unchecked_error: cudaMalloc failed with cudaErrorMemoryAllocation, and the program went on
    if (a) fill<<<1, 256>>>(a, 256);
    printf("%d\n", first);
}
