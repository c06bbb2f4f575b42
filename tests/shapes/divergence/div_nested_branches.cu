// Branches within branches: halves of a warp part, and then part again.
__global__ void nested(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % warpSize;
    float v = in[i], r;
    if (lane < 16) {
        if (lane < 8)
            r = sinf(sinf(sinf(v)));
        else
            r = cosf(cosf(v));
    } else {
        if (lane & 1)
            r = expf(-v) * expf(-2.0f * v);
        else
            r = logf(1.0f + v) + logf(2.0f + v);
    }
    out[i] = r;
}
