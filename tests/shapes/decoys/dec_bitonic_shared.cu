// Sorts 64 keys in each block with a bitonic network in shared memory.
__global__ void bitonicSortShared(const unsigned *keysIn, unsigned *keysOut)
{
    __shared__ unsigned s[64];
    const int t = threadIdx.x;
    const int base = blockIdx.x * 64;
    s[t] = keysIn[base + t];
    s[t + 32] = keysIn[base + t + 32];

    for (int size = 2; size <= 64; size <<= 1)
        for (int stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            int pos = 2 * t - (t & (stride - 1));
            bool up = (pos & size) == 0;
            unsigned a = s[pos], b = s[pos + stride];
            if ((a > b) == up) {
                s[pos] = b;
                s[pos + stride] = a;
            }
        }
    __syncthreads();
    keysOut[base + t] = s[t];
    keysOut[base + t + 32] = s[t + 32];
}
