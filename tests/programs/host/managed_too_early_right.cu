// Managed memory is read once the kernel was waited for; what no pending kernel writes may be used at any time.
#include <cstdio>

__global__ void square(int* a, const int* b) { a[threadIdx.x] = b[threadIdx.x] * b[threadIdx.x]; }
__global__ void every_second(int* a) { a[2 * threadIdx.x] = 7; }

__global__ void publish(int* data, volatile int* flag) {
    *data = 42;
    __threadfence_system();
    *flag = 1;
}
__global__ void count(int* counter) { atomicAdd_system(counter, 1); }

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
    // Made for looking at while the kernel runs.
    a[1] = c[0] = 0;
    publish<<<1, 1>>>(a, a + 1);
    while (*(volatile int*)(a + 1) == 0) {}
    printf("%d\n", a[0]);
    count<<<1, 32>>>(c);
    __sync_fetch_and_add(c, 1);
    cudaDeviceSynchronize();
    printf("%d\n", c[0]);
    cudaEventDestroy(done);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
}
