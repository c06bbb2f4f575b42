// A copy to pinned memory is not waited for before it is read, nor is a stream.
#include <cstdio>

__global__ void fill(int* a, int value) { a[threadIdx.x] = value; }

int main() {
    int *device, *pinned;
    cudaStream_t one, two;
    cudaMalloc(&device, 128 * sizeof(int));
    cudaMallocHost(&pinned, 128 * sizeof(int));
    cudaStreamCreate(&one);
    cudaStreamCreate(&two);
    fill<<<1, 64, 0, one>>>(device, 1);
    cudaMemcpyAsync(pinned, device, 64 * sizeof(int), cudaMemcpyDeviceToHost, one);
    fill<<<1, 64, 0, two>>>(device + 64, 2);
    cudaMemcpyAsync(pinned + 64, device + 64, 64 * sizeof(int), cudaMemcpyDeviceToHost, two);
    cudaStreamSynchronize(two);
    printf("%d\n", pinned[127]);
    printf("%d\n",
           pinned[0]);  // finds: too_early: Host code reads pinned before the work that writes it (asked for in line 14) was waited for
    cudaStreamSynchronize(one);
    cudaMemsetAsync(pinned, 0, 64, one);
    pinned[3] = 5;  // finds: too_early: Host code writes pinned while work that writes it may still run (asked for in line 22)
    cudaDeviceSynchronize();
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
    cudaFree(device);
    cudaFreeHost(pinned);
}
