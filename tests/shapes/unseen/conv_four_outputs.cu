// 1-D convolution, four outputs per thread in registers
__global__ void conv4(const float* in, const float* w, float* out, int n, int taps)
{
    int o = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    float a0 = 0, a1 = 0, a2 = 0, a3 = 0;
    for (int t = 0; t < taps; t++) {
        float c = w[t];
        a0 += c * in[o + t]; a1 += c * in[o + t + 1]; a2 += c * in[o + t + 2]; a3 += c * in[o + t + 3];
    }
    if (o + 3 < n) { out[o] = a0; out[o + 1] = a1; out[o + 2] = a2; out[o + 3] = a3; }
}
