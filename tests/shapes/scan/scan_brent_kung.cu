// Inclusive scan in two sweeps; the block's total goes to an array of its own.
const unsigned BLOCK = 32;

__global__ void brentKungScan(const float* in, float* out, float* partialSums)
{
    __shared__ float buf[2 * BLOCK];
    unsigned seg = 2 * BLOCK * blockIdx.x;
    buf[threadIdx.x] = in[seg + threadIdx.x];
    buf[threadIdx.x + BLOCK] = in[seg + threadIdx.x + BLOCK];

    for (unsigned stride = 1; stride <= BLOCK; stride *= 2) {
        __syncthreads();
        unsigned index = (threadIdx.x + 1) * 2 * stride - 1;
        if (index < 2 * BLOCK)
            buf[index] += buf[index - stride];
    }
    for (unsigned stride = BLOCK / 2; stride > 0; stride /= 2) {
        __syncthreads();
        unsigned index = (threadIdx.x + 1) * 2 * stride - 1;
        if (index + stride < 2 * BLOCK)
            buf[index + stride] += buf[index];
    }
    __syncthreads();
    if (threadIdx.x == 0)
        partialSums[blockIdx.x] = buf[2 * BLOCK - 1];
    out[seg + threadIdx.x] = buf[threadIdx.x];
    out[seg + threadIdx.x + BLOCK] = buf[threadIdx.x + BLOCK];
}
