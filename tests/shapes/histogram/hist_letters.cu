// Histogram of letters in groups of four; other characters are left out.
__global__ void letterHistogram(char *data, unsigned int *histo, unsigned int length)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < length) {
        int alphabet_position = data[i] - 'a';
        if (alphabet_position >= 0 && alphabet_position < 26)
            atomicAdd(&(histo[alphabet_position / 4]), 1);
    }
}
