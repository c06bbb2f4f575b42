// Host memory that is registered: ranges that share pages, what they hold before, while and after, and none of it the device's.
#include <cstdio>
#include <cstdlib>
#include <cstring>

__managed__ int managed[3] = {1, 2, 3};

__global__ void add(int* values, int n, int by) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] += by;
}
__global__ void addToManaged() { managed[threadIdx.x] += 10; }

int sumOf(const int* values, int n) {
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += values[i];
    return sum;
}

int main() {
    const int n = 1000;
    int* all[5];
    for (int*& values : all) {  // closer together than pages
        values = (int*)malloc(n * sizeof(int));
        for (int i = 0; i < n; ++i) values[i] = i % 10;
        printf("%d ", cudaHostRegister(values, n * sizeof(int), cudaHostRegisterDefault));
    }
    printf("%d\n", cudaHostRegister(all[2] + 1, 4, 0) == cudaErrorHostMemoryAlreadyRegistered);
    for (int k = 0; k < 5; ++k) add<<<1, 64>>>(all[k], n, k + 1);
    cudaDeviceSynchronize();
    for (int* values : all) printf("%d ", sumOf(values, n));
    printf("\n");

    cudaHostUnregister(all[1]);
    cudaHostUnregister(all[2]);
    for (int k : {0, 3, 4}) add<<<1, 64>>>(all[k], n, 100);
    cudaDeviceSynchronize();
    all[1][0] += 5;
    for (int* values : all) printf("%d ", sumOf(values, n));
    cudaHostRegister(all[1], n * sizeof(int), 0);
    add<<<1, 64>>>(all[1], n, 1);
    cudaDeviceSynchronize();
    printf("%d\n", sumOf(all[1], n));
    for (int k : {0, 1, 3, 4}) cudaHostUnregister(all[k]);

    size_t before, after, total;
    cudaMemGetInfo(&before, &total);
    const size_t bytes = 64 << 20;
    char* large = (char*)malloc(bytes);
    memset(large, 7, bytes);
    int failed = 0;
    for (int i = 0; i < 80; ++i) {
        failed += cudaHostRegister(large, bytes, 0) != cudaSuccess;
        failed += cudaHostUnregister(large) != cudaSuccess;
    }
    void* pinned;
    cudaMallocHost(&pinned, bytes);
    cudaMemGetInfo(&after, &total);
    printf("%d failed, %d bytes less, %d\n", failed, int(before - after), large[bytes - 1]);
    cudaFreeHost(pinned);
    free(large);

    cudaHostRegister(all[0], 64, 0);
    addToManaged<<<1, 3>>>();
    cudaDeviceSynchronize();
    printf("%d %d\n", managed[0], managed[2]);
    cudaDeviceReset();
    printf("%d", cudaHostRegister(all[0], 64, 0));
    const int was = all[0][0];
    add<<<1, 16>>>(all[0], 16, 1);
    addToManaged<<<1, 3>>>();
    cudaDeviceSynchronize();
    printf(" %d %d %d\n", all[0][0] - was, managed[0], managed[2]);
    cudaHostUnregister(all[0]);
    for (int* values : all) free(values);
}
