// Two streams, pinned memory, copies without waiting, events and their time.
#include <cstdio>

__global__ void square(int* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] *= a[i];
}

int main() {
    const int n = 512, half = n / 2;
    int *host, *device;
    cudaMallocHost(&host, n * sizeof(int));
    cudaMalloc(&device, n * sizeof(int));
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaStream_t streams[2];
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin);
    for (int s = 0; s < 2; ++s) {
        cudaStreamCreate(&streams[s]);
        int* part = device + s * half;
        cudaMemcpyAsync(part, host + s * half, half * sizeof(int), cudaMemcpyHostToDevice, streams[s]);
        square<<<half / 64, 64, 0, streams[s]>>>(part, half);
        cudaMemcpyAsync(host + s * half, part, half * sizeof(int), cudaMemcpyDeviceToHost, streams[s]);
    }
    for (cudaStream_t stream : streams) {
        cudaStreamSynchronize(stream);
        cudaStreamDestroy(stream);
    }
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float milliseconds = -1;
    cudaEventElapsedTime(&milliseconds, begin, end);
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += host[i] != i * i;
    printf("%d wrong, time %s\n", wrong, milliseconds > 0 ? "passes" : "stands");
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    cudaFreeHost(host);
    cudaFree(device);
}
