// One warp, words of 8 or 16 bytes. They are served by half-warps or quarter-warps: 128 bytes per wavefront, as for 4-byte words.

template <class Word>  // float2 or float4
__global__ void bank_words(const Word* in, Word* out, int stride)
{
    __shared__ Word words[1024];

    for (int k = threadIdx.x; k < 1024; k += 32)
        words[k] = in[k];
    __syncthreads();

    out[threadIdx.x] = words[threadIdx.x * stride];
}
