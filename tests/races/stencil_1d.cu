// A stencil whose halo is read without a barrier: the data race of NVIDIA's introductory slides (CUDA C/C++
// Basics, 2011). Launch: <<<2, 64>>> on 134 inputs.
constexpr int kRadius = 3;
__global__ void stencil_1d(const int* in, int* out) {
    __shared__ int tile[64 + 2 * kRadius];
    const int element = threadIdx.x + blockIdx.x * blockDim.x, local = threadIdx.x + kRadius;
    tile[local] = in[element + kRadius];
    if (threadIdx.x < kRadius) {
        tile[local - kRadius] = in[element];
        tile[local + blockDim.x] = in[element + kRadius + blockDim.x];
    }
    int sum = 0;
    for (int offset = -kRadius; offset <= kRadius; ++offset)
        sum += tile[local + offset];
    out[element] = sum;
}
