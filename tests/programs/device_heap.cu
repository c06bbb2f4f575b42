// malloc(), free(), new and delete in kernels: memory that lives from launch to launch, and a heap of a chosen size.
#include <cstdio>

struct Node {
    int value;
    Node* next;
    __device__ Node(int value, Node* next) : value(value), next(next) {}
};

__device__ Node* lists[64];

__global__ void build(int length) {
    Node* list = nullptr;
    for (int i = 0; i < length; ++i)
        list = new Node(100 * threadIdx.x + i, list);
    lists[blockIdx.x * blockDim.x + threadIdx.x] = list;
}

__global__ void sum(int* sums) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int total = 0;
    for (const Node* node = lists[i]; node; node = node->next)
        total += node->value;
    sums[i] = total;
}

__global__ void release() {
    Node* node = lists[blockIdx.x * blockDim.x + threadIdx.x];
    while (node) {
        Node* const next = node->next;
        delete node;
        node = next;
    }
}

__global__ void scratch(int* result, int n) {
    __shared__ int* data;
    if (threadIdx.x == 0) data = static_cast<int*>(malloc(n * sizeof(int)));
    __syncthreads();
    if (!data) return;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        data[i] = i * blockIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        int total = 0;
        for (int i = 0; i < n; ++i)
            total += data[i];
        result[blockIdx.x] = total;
        free(data);
    }
}

__global__ void fill(int* count, size_t bytes) {
    void* last = nullptr;
    for (*count = 0; void* memory = malloc(bytes); ++*count) {
        *static_cast<void**>(memory) = last;
        last = memory;
    }
    while (last) {
        void* const before = *static_cast<void**>(last);
        free(last);
        last = before;
    }
}

int main() {
    size_t limit = 0;
    cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
    printf("heap %zu MiB\n", limit >> 20);
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1000);
    cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
    printf("at least %zu MiB\n", limit >> 20);
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20);

    int* sums;
    cudaMallocManaged(&sums, 64 * sizeof(int));
    build<<<2, 32>>>(5);
    sum<<<2, 32>>>(sums);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", sums[0], sums[31], sums[63]);
    release<<<2, 32>>>();
    printf("set after a launch: %s\n", cudaGetErrorString(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 32 << 20)));

    scratch<<<4, 64>>>(sums, 1000);
    cudaDeviceSynchronize();
    printf("%d %d\n", sums[1], sums[3]);

    for (int i = 0; i < 3; ++i) {
        fill<<<1, 1>>>(sums, 1000000);
        cudaDeviceSynchronize();
        printf("%s\n", sums[0] > 10 && sums[0] < 17 ? "as many as fit" : "not as many");
    }
    cudaFree(sums);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
