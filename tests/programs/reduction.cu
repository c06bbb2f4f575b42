// A sum in several launches, each of a block's sums; with dynamic shared memory.
#include <cstdio>
#include <utility>
#include <vector>

__global__ void reduce(const int* in, int* out, int n) {
    extern __shared__ int sums[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    sums[threadIdx.x] = i < n ? in[i] : 0;
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (threadIdx.x < stride) sums[threadIdx.x] += sums[threadIdx.x + stride];
    }
    if (threadIdx.x == 0) out[blockIdx.x] = sums[0];
}

int main() {
    const int block = 64;
    int n = 10000, launches = 0;
    std::vector<int> values(n);
    long long expected = 0;
    for (int i = 0; i < n; ++i) expected += values[i] = i % 100;
    int *from, *to;
    cudaMalloc(&from, n * sizeof(int));
    cudaMalloc(&to, n * sizeof(int));
    cudaMemcpy(from, values.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    for (; n > 1; n = (n + block - 1) / block, ++launches) {
        reduce<<<(n + block - 1) / block, block, block * sizeof(int)>>>(from, to, n);
        std::swap(from, to);
    }
    int sum = 0;
    cudaMemcpy(&sum, from, sizeof sum, cudaMemcpyDeviceToHost);
    printf("%d in %d launches, expected %lld\n", sum, launches, expected);
    cudaFree(from);
    cudaFree(to);
}
