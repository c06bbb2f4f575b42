// fails: correct, races, global_atomics
// Blocks add to out without an atomic operation.
__global__ void total(const int* in, int* out, int n) {
    __shared__ int part[128];
    int t = threadIdx.x;
    int sum = 0;
    for (int i = blockIdx.x * 128 + t; i < n; i += gridDim.x * 128)
        sum += in[i];
    part[t] = sum;
    __syncthreads();
    for (int s = 64; s > 0; s /= 2) {
        if (t < s) part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0) out[0] += part[0];
}
