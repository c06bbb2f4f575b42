// Sum of unsigned numbers, two loaded by each thread, one partial sum a block; mistake: 96 threads are no power of two, so halving 3 leaves a third partial sum out.
extern __shared__ unsigned buf[];

__global__ void partial_sums(unsigned *in, unsigned *partial, unsigned count)
{
    unsigned me = threadIdx.x;
    unsigned pos = 2 * blockIdx.x * blockDim.x + me;

    unsigned x = 0;
    if (pos < count) x = in[pos];
    if (pos + blockDim.x < count) x += in[pos + blockDim.x];
    buf[me] = x;

    for (unsigned left = blockDim.x / 2; left > 0; left /= 2) {
        __syncthreads();
        if (me < left)
            buf[me] += buf[me + left];
    }

    if (me == 0) partial[blockIdx.x] = buf[0];
}
