// Each block works on one job of its own kind and length: a polynomial or square roots by Newton; all threads of a block go the same way.
__global__ void run_jobs(const int *kind, const int *rounds, const float *in, float *out)
{
    const int job = blockIdx.x;
    const int i = job * blockDim.x + threadIdx.x;
    const float x = in[i];
    float y;
    if (kind[job] == 0) {
        y = 1.0f;
        for (int k = rounds[job]; k > 0; k--) y = 1.0f + y * x / k;
    } else {
        y = 0.5f * (1.0f + x);
        for (int k = 0; k < rounds[job]; k++) y = 0.5f * (y + x / y);
    }
    out[i] = y;
}
