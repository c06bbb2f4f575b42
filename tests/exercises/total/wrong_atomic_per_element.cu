// fails: global_atomics, shared_requests
// An atomic operation for each element.
__global__ void total(const int* in, int* out, int n) {
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128)
        atomicAdd(out, in[i]);
}
