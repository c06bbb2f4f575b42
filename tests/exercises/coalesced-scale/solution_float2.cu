__global__ void scale(const float* in, float* out, int n) {
    const int all = gridDim.x * blockDim.x, me = blockDim.x * blockIdx.x + threadIdx.x;
    for (int p = me; 2 * p + 1 < n; p += all) {
        float2 v = reinterpret_cast<const float2*>(in)[p];
        v.x = v.x + v.x + 1.f; v.y = v.y + v.y + 1.f;
        reinterpret_cast<float2*>(out)[p] = v;
    }
    if (n % 2 && me == all - 1) out[n - 1] = 2.f * in[n - 1] + 1.f;
}
