// Even lanes take roots, odd lanes multiply and add.
__global__ void mathKernel1(const float *in, float *c)
{
    int tid = blockIdx.x * blockDim.x + threadIdx.x;
    float a = in[tid];

    if (tid % 2 == 0)
    {
        for (int k = 0; k < 8; ++k)
            a = sqrtf(a + 1.0f);
    }
    else
    {
        for (int k = 0; k < 12; ++k)
            a = a * 0.5f + 0.25f;
    }
    c[tid] = a;
}
