// Each way of waiting for a copy to pinned memory; one to pageable memory has been waited for when it returns.
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

__global__ void add(int* a, int value) { a[threadIdx.x] += value; }
void CUDART_CB after(void* pinned) { static_cast<int*>(pinned)[0] += 1000; }

int main() {
    int *device, *pinned;
    std::vector<int> pageable(64);
    cudaStream_t stream;
    cudaEvent_t event;
    cudaMalloc(&device, 64 * sizeof(int));
    cudaMemset(device, 0, 64 * sizeof(int));
    cudaMallocHost(&pinned, 64 * sizeof(int));
    cudaStreamCreate(&stream);
    cudaEventCreate(&event);
    const auto round = [&] {
        add<<<1, 64, 0, stream>>>(device, 1);
        cudaMemcpyAsync(pinned, device, 64 * sizeof(int), cudaMemcpyDeviceToHost, stream);
    };
    round();
    cudaStreamSynchronize(stream);
    printf("%d\n", pinned[0]);
    round();
    cudaEventRecord(event, stream);
    cudaEventSynchronize(event);
    printf("%d\n", pinned[0]);
    round();
    while (cudaStreamQuery(stream) == cudaErrorNotReady) {}
    printf("%d\n", pinned[0]);
    round();
    cudaLaunchHostFunc(stream, after, pinned);
    cudaDeviceSynchronize();
    printf("%d\n", pinned[0]);
    std::atomic<int> called{0};
    std::thread reader([&] {  // waits by the callback
        while (called == 0) {}
        printf("%d\n", pinned[1]);
    });
    round();
    const cudaStreamCallback_t tell = [](cudaStream_t, cudaError_t, void* flag) {
        *static_cast<std::atomic<int>*>(flag) = 1;
    };
    cudaStreamAddCallback(stream, tell, &called, 0);
    reader.join();
    add<<<1, 64>>>(device, 1);
    cudaMemcpyAsync(pageable.data(), device, 64 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", pageable[63]);
    cudaEventDestroy(event);
    cudaStreamDestroy(stream);
    cudaFree(device);
    cudaFreeHost(pinned);
}
