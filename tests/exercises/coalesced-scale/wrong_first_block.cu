// fails: busiest_warp_loads
__global__ void scale(const float* in, float* out, int n) {
    if (blockIdx.x > 0) return;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        out[i] = 2 * in[i] + 1;
}
