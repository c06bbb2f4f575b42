// fails: barriers_per_thread
// Each thread adds its element to all sums behind it.
__global__ void scan(const int* in, int* out, int n) {
    __shared__ int s[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t, v = i < n ? in[i] : 0;
    s[t] = 0;
    __syncthreads();
    for (int k = t; k < 128; ++k) atomicAdd(&s[k], v);
    __syncthreads();
    if (i < n) out[i] = s[t];
}
