// fails: global_atomics, shared_requests
// An atomic operation for each thread.
__global__ void total(const int* in, int* out, int n) {
    int sum = 0;
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128)
        sum += in[i];
    atomicAdd(out, sum);
}
