__global__ void scale(const float* in, float* out, int n) {
    const float4* a = (const float4*)in; float4* b = (float4*)out;
    int t = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    for (int i = t; i < n / 4; i += threads) {
        float4 v = a[i];
        b[i] = make_float4(2 * v.x + 1, 2 * v.y + 1, 2 * v.z + 1, 2 * v.w + 1);
    }
    for (int i = n / 4 * 4 + t; i < n; i += threads) out[i] = 2 * in[i] + 1;
}
