// Words of 1 or 2 bytes, side by side: a warp moves 32 or 64 bytes in one request.

template <class Word>  // unsigned char or unsigned short
__global__ void narrow_words(const Word* in, Word* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        out[i] = in[i];
}
