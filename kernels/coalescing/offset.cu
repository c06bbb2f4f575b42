// All lanes read `offset` words further on. The words are still consecutive, but no longer start at a segment boundary.

__global__ void offset_copy(const float* in, float* out, int n, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        out[i] = in[i + offset];
}
