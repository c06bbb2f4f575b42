// Consecutive words of 1 or 2 bytes: a warp requests 32 or 64 bytes at once.

template <class Word>  // unsigned char or unsigned short
__global__ void narrow_words(const Word* in, Word* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        out[i] = in[i];
}
