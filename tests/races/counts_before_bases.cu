// A step of a radix sort: the base of the ones is read while zeros are still counted.
__global__ void split_by_bit(const unsigned* keys, unsigned* sorted)
{
    __shared__ unsigned counts[2];
    const unsigned key = keys[threadIdx.x];
    if (threadIdx.x < 2)
        counts[threadIdx.x] = 0;
    __syncthreads();
    unsigned place = atomicAdd(&counts[key & 1], 1u);
    if (key & 1)
        place += counts[0];
    sorted[place] = key;
}
