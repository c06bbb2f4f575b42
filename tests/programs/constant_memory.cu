// A convolution's mask in constant memory, a variable of the device, and their addresses.
#include <cstdio>

__constant__ float mask[5] = {9, 9, 9, 9, 9};
__device__ int calls;
__device__ float table[4] = {1, 10, 100, 1000};

__global__ void convolve(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) ++calls;
    if (i >= n) return;
    float sum = 0;
    for (int k = -2; k <= 2; ++k)
        if (i + k >= 0 && i + k < n) sum += mask[k + 2] * in[i + k];
    out[i] = sum + table[i % 4];
}

int main() {
    const float weights[5] = {1, 2, 3, 2, 1};
    float host[8] = {1, 2, 3, 4, 5, 6, 7, 8}, *in, *out, *address;
    cudaMemcpyToSymbol(mask, weights, sizeof weights);
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaGetSymbolAddress((void**)&address, table);
    const float five = 5;
    cudaMemcpy(address + 3, &five, sizeof five, cudaMemcpyHostToDevice);
    convolve<<<1, 32>>>(in, out, 8);
    convolve<<<1, 32>>>(in, out, 8);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    int count;
    size_t bytes;
    cudaMemcpyFromSymbol(&count, calls, sizeof count);
    cudaGetSymbolSize(&bytes, mask);
    for (float value : host) printf("%g ", value);
    printf("\n%d calls, %zu bytes\n", count, bytes);
    cudaFree(in);
    cudaFree(out);
}
