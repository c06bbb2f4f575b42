// An array reversed through shared memory without a barrier: the example of "Using Shared Memory in CUDA
// C/C++" (NVIDIA's developer blog, 2013) with its __syncthreads() left out. Launch: <<<1, 64>>>.
__global__ void reverse(int* data) {
    __shared__ int copy[64];
    copy[threadIdx.x] = data[threadIdx.x];
    data[threadIdx.x] = copy[63 - threadIdx.x];
}
