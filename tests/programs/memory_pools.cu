// Memory pools count what is allocated from them, streams have attributes, and launches can be asked for by a structure.
#include <cstdint>
#include <cstdio>

__global__ void add(int* a, int value, double scale) { a[threadIdx.x] += int(value * scale); }

uint64_t ofPool(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
    uint64_t value = 0;
    const cudaError_t error = cudaMemPoolGetAttribute(pool, attribute, &value);
    if (error != cudaSuccess) printf("%s\n", cudaGetErrorName(error));
    return value;
}

int main() {
    int isSupported = 0;
    cudaDeviceGetAttribute(&isSupported, cudaDevAttrMemoryPoolsSupported, 0);
    cudaMemPool_t common, own;
    cudaDeviceGetDefaultMemPool(&common, 0);
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {cudaMemLocationTypeDevice, 0};
    cudaMemPoolCreate(&own, &properties);
    uint64_t threshold = UINT64_MAX;
    cudaMemPoolSetAttribute(own, cudaMemPoolAttrReleaseThreshold, &threshold);
    printf("%d, %d\n", isSupported, ofPool(own, cudaMemPoolAttrReleaseThreshold) == threshold);

    cudaStream_t stream;
    cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -100);
    int *a, *b, priority = 1;
    unsigned flags = 0;
    cudaMallocAsync(&a, 256, stream);
    cudaMallocAsync(&b, 512, own, stream);
    printf("%d %d\n", int(ofPool(common, cudaMemPoolAttrUsedMemCurrent)),
           int(ofPool(own, cudaMemPoolAttrUsedMemCurrent)));
    cudaStreamGetPriority(stream, &priority);
    cudaStreamGetFlags(stream, &flags);
    printf("priority %d, flags %u\n", priority, flags);  // the nearest that there is

    cudaMemsetAsync(a, 0, 256, stream);
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributePriority;
    attribute.val.priority = 0;
    cudaLaunchConfig_t config = {};
    config.gridDim = 1;
    config.blockDim = 64;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    short value = 3;  // becomes the int of the kernel
    cudaLaunchKernelEx(&config, add, a, value, 2.5f);
    int host[64];
    cudaMemcpyAsync(host, a, 256, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    printf("%d %d\n", host[0], host[63]);
    cudaFreeAsync(a, stream);
    cudaFree(b);
    printf("%d %d, most %d %d\n", int(ofPool(common, cudaMemPoolAttrUsedMemCurrent)),
           int(ofPool(own, cudaMemPoolAttrUsedMemCurrent)), int(ofPool(common, cudaMemPoolAttrUsedMemHigh)),
           int(ofPool(own, cudaMemPoolAttrUsedMemHigh)));
    cudaMemPoolDestroy(own);

    cudaStreamAttrValue window = {};
    window.accessPolicyWindow = {host, 64, 1.0f, cudaAccessPropertyPersisting, cudaAccessPropertyStreaming};
    cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &window);
    cudaStreamAttrValue read = {};
    cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &read);
    printf("%d %d\n", int(read.accessPolicyWindow.num_bytes), int(read.accessPolicyWindow.missProp));
    cudaStreamDestroy(stream);
}
