// Neighboring lanes read words that are `stride` words apart.

__global__ void stride_copy(const float* in, float* out, int n, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        out[i] = in[i * stride];
}
