// Managed memory is read before the kernel that writes it was waited for.
#include <cstdio>

__global__ void square(int* a) { a[threadIdx.x] = threadIdx.x * threadIdx.x; }

int main() {
    int* a;
    cudaMallocManaged(&a, 64 * sizeof(int));
    square<<<1, 64>>>(a);
    int sum = 0;
    for (int i = 0; i < 64; ++i)
        sum += a[i];  // finds: too_early: Host code reads a before the work that writes it (asked for in line 9) was waited for
    printf("%s\n", sum >= 0 ? "done" : "");
    cudaFree(a);
}
