// fails: barriers_per_thread, shared_requests
// One thread adds all elements.
__global__ void reduce(const int* in, int* out, int n) {
    __shared__ int part[128];
    int t = threadIdx.x;
    int i = blockIdx.x * 128 + t;
    part[t] = i < n ? in[i] : 0;
    __syncthreads();
    if (t == 0) {
        int sum = 0;
        for (int k = 0; k < 128; ++k)
            sum += part[k];
        out[blockIdx.x] = sum;
    }
}
