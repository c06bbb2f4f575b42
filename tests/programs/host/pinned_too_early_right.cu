// Each way of waiting for a copy to pinned memory; one to pageable memory has been waited for when it returns.
#include <cstdio>
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
    add<<<1, 64>>>(device, 1);
    cudaMemcpyAsync(pageable.data(), device, 64 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", pageable[63]);
    cudaEventDestroy(event);
    cudaStreamDestroy(stream);
    cudaFree(device);
    cudaFreeHost(pinned);
}
