// each warp has a run of elements of its own
__global__ void scale(const float* in, float* out, int n) {
    int warps = gridDim.x * blockDim.x / 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    int each = (n + warps * 32 - 1) / (warps * 32) * 32;
    for (int k = lane; k < each; k += 32) { int i = warp * each + k; if (i < n) out[i] = fmaf(2, in[i], 1); }
}
