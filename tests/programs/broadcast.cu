// One thread writes a shared variable, all read it behind a barrier, and barriers that count.
#include <cstdio>

__global__ void addOffset(int* data, const int* offsets, int n) {
    __shared__ int offset;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) offset = offsets[blockIdx.x];
    __syncthreads();
    if (i < n) data[i] += offset;
}
__global__ void count(int* out) {
    const int odd = __syncthreads_count(threadIdx.x % 2);
    const int all = __syncthreads_and(threadIdx.x < 64), any = __syncthreads_or(threadIdx.x == 99);
    __shared__ int last;
    if (threadIdx.x == 31) last = 5;
    __threadfence_block();
    __syncthreads();
    if (threadIdx.x == 40) out[0] = odd, out[1] = all, out[2] = any, out[3] = last;
}

int main() {
    int host[8] = {0, 1, 2, 3, 4, 5, 6, 7}, offsets[2] = {100, 200}, *data, *more;
    cudaMalloc(&data, sizeof host);
    cudaMalloc(&more, sizeof offsets);
    cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(more, offsets, sizeof offsets, cudaMemcpyHostToDevice);
    addOffset<<<2, 4>>>(data, more, 8);
    cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
    for (int value : host)
        printf("%d ", value);
    count<<<1, 64>>>(data);
    cudaMemcpy(host, data, 4 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("\n%d %d %d %d\n", host[0], host[1], host[2], host[3]);
    cudaFree(data);
    cudaFree(more);
}
