// fails: busiest_warp_loads
__global__ void total(const int* in, int* out, int n) {
    __shared__ int sums[128];
    const int t = threadIdx.x;
    int sum = 0;
    if (blockIdx.x == 0)
        for (int i = t; i < n; i += 128)
            sum += in[i];
    sums[t] = sum;
    for (int step = 64; step > 0; step /= 2) {
        __syncthreads();
        if (t < step) sums[t] += sums[t + step];
    }
    if (t == 0) atomicAdd(out, sums[0]);
}
