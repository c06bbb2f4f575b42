// A course file of our own, kernels and host code in one, as homework has them.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <vector>

#include "course_helpers.h"
#include "not_here.h"

#define TILE 16
#define CHECK(call)                                                   \
    do {                                                              \
        cudaError_t error = (call);                                   \
        if (error != cudaSuccess) {                                   \
            std::cerr << cudaGetErrorString(error) << std::endl;      \
            std::exit(1);                                             \
        }                                                             \
    } while (0)

constexpr int kWidth = 64;
std::vector<float> results;

int divideUp(int a, int b) { return (a + b - 1) / b; }

__global__ void scale(float* out, const float* in, float factor, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = twice(in[i]) * factor;
}

template <int T>
__global__ void transpose(float* out, const float* in, int width) {
    __shared__ float tile[T][T + 1];
    tile[threadIdx.y][threadIdx.x] = in[(blockIdx.y * T + threadIdx.y) * width + blockIdx.x * T + threadIdx.x];
    __syncthreads();
    out[(blockIdx.x * T + threadIdx.y) * width + blockIdx.y * T + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void fill(float* out, int n) {
    if (threadIdx.x < n) out[threadIdx.x] = 1;
}

int main(int argc, char** argv) {
    const int n = kWidth * kWidth;
    std::vector<float> h(n);
    for (int i = 0; i < n; ++i) h[i] = i;
    float *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(float)));
    CHECK(cudaMalloc(&out, n * sizeof(float)));
    CHECK(cudaMemcpy(in, h.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    scale<<<divideUp(n, 256), 256>>>(out, in, 2.0f, n);
    dim3 block(TILE, TILE), grid(kWidth / TILE, kWidth / TILE);
    transpose<TILE><<<grid, block>>>(out, in, kWidth);
    int some = atoi(argv[1]);
    fill<<<some, 32>>>(out, some);
    CHECK(cudaDeviceSynchronize());
    std::cout << "done" << std::endl;
}
