// Switch on the lane without breaks: lanes fall through into the next cases.
__global__ void ops(float *in, float *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    float v = in[t];
    switch (threadIdx.x % 3) {
        case 0:
            for (int k = 0; k < 4; k++) v = sinf(v) + 1.0f;
        case 1:
            for (int k = 0; k < 6; k++) v = v * v * 0.5f;
        case 2:
            for (int k = 0; k < 3; k++) v = sqrtf(v + 2.0f);
    }
    out[t] = v;
}
