// Managed memory is read once the kernel was waited for; what no pending kernel writes may be used at any time.
#include <cstdio>

__global__ void square(int* a, const int* b) { a[threadIdx.x] = b[threadIdx.x] * b[threadIdx.x]; }
__global__ void every_second(int* a) { a[2 * threadIdx.x] = 7; }

int main() {
    int *a, *b, *c;
    cudaMallocManaged(&a, 64 * sizeof(int));
    cudaMallocManaged(&b, 64 * sizeof(int));
    cudaMallocManaged(&c, 64 * sizeof(int));
    for (int i = 0; i < 64; ++i)
        b[i] = i;
    square<<<1, 64>>>(a, b);
    int sum = 0;
    for (int i = 0; i < 64; ++i)
        sum += b[i];  // is only read
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i)
        sum += a[i];
    every_second<<<1, 32>>>(c);
    for (int i = 0; i < 32; ++i)
        c[2 * i + 1] = i;  // between those that the kernel writes
    cudaEvent_t done;
    cudaEventCreate(&done);
    cudaEventRecord(done);
    cudaEventSynchronize(done);
    printf("%d %d %d\n", sum, c[0], c[63]);
    cudaEventDestroy(done);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
}
