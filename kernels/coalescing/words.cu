// Words of 4, 8 or 16 bytes, side by side: a warp moves 128, 256 or 512 bytes in one request.

template <class Word>  // float, float2 or float4
__global__ void words(const Word* in, Word* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        out[i] = in[i];
}
