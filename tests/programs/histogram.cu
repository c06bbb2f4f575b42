// Atomics in shared and in global memory, of several types.
#include <cstdio>
#include <vector>

__global__ void histogram(const unsigned char* text, int n, unsigned int* bins) {
    __shared__ unsigned int own[16];
    if (threadIdx.x < 16) own[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[text[i] % 16], 1u);
    __syncthreads();
    if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
__global__ void others(int* most, int* least, float* sum, double* wide, unsigned long long* count, int* last) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicMax(most, i * 3 % 101);
    atomicMin(least, -i);
    atomicAdd(sum, 0.5f);
    atomicAdd(wide, 0.25);
    atomicAdd(count, 1ull);
    atomicCAS(last, 7, 8);
}

int main() {
    const int n = 5000;
    std::vector<unsigned char> text(n);
    for (int i = 0; i < n; ++i) text[i] = (unsigned char)(i * i);
    unsigned char* d_text;
    unsigned int *d_bins, bins[16];
    cudaMalloc(&d_text, n);
    cudaMalloc(&d_bins, sizeof bins);
    cudaMemcpy(d_text, text.data(), n, cudaMemcpyHostToDevice);
    cudaMemset(d_bins, 0, sizeof bins);
    histogram<<<4, 128>>>(d_text, n, d_bins);
    cudaMemcpy(bins, d_bins, sizeof bins, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 16; ++i) printf("%u ", bins[i]);
    printf("\n");
    struct {
        double wide;
        unsigned long long count;
        float sum;
        int most, least, last;
    } values{0, 0, 0, -1, 1, 7}, *d;
    cudaMalloc(&d, sizeof values);
    cudaMemcpy(d, &values, sizeof values, cudaMemcpyHostToDevice);
    others<<<2, 100>>>(&d->most, &d->least, &d->sum, &d->wide, &d->count, &d->last);
    cudaMemcpy(&values, d, sizeof values, cudaMemcpyDeviceToHost);
    printf("%d %d %.1f %.2f %llu %d\n", values.most, values.least, values.sum, values.wide, values.count, values.last);
    cudaFree(d);
    cudaFree(d_text);
    cudaFree(d_bins);
}
