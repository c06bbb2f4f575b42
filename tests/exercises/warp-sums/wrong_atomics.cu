// fails: correct, shuffles, global_atomics
__global__ void warp_sums(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) atomicAdd(&out[i / 32], in[i]);
}
