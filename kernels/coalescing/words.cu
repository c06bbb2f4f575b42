// Consecutive words of 4, 8 or 16 bytes: a warp requests 128, 256 or 512 bytes at once.

template <class Word>  // float, float2 or float4
__global__ void words(const Word* in, Word* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        out[i] = in[i];
}
