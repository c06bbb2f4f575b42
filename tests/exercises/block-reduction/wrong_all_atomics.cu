// fails: shared_requests, shared_bytes, shared_atomics
// All threads add to one word.
__global__ void reduce(const int* in, int* out, int n) {
    __shared__ int sum;
    int at = blockIdx.x * 128 + threadIdx.x;
    if (threadIdx.x == 127) sum = 0;
    __syncthreads();
    if (at < n) atomicAdd(&sum, in[at]);
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
