// Scan with coarsening: each thread scans 4 neighbors, the last ones are scanned, and their sums are added.
#define COARSE 4
#define BD 32

__global__ void coarseScan(float *input, float *output)
{
    __shared__ float data[COARSE * BD];
    __shared__ float ends[BD];
    int t = threadIdx.x;
    int seg = blockIdx.x * COARSE * BD;
    for (int c = 0; c < COARSE; ++c)
        data[c * BD + t] = input[seg + c * BD + t];
    __syncthreads();

    for (int c = 1; c < COARSE; ++c)
        data[t * COARSE + c] += data[t * COARSE + c - 1];
    ends[t] = data[t * COARSE + COARSE - 1];
    __syncthreads();

    for (int stride = 1; stride < BD; stride *= 2) {
        float v = 0;
        if (t >= stride) v = ends[t - stride];
        __syncthreads();
        ends[t] += v;
        __syncthreads();
    }
    if (t > 0)
        for (int c = 0; c < COARSE; ++c)
            data[t * COARSE + c] += ends[t - 1];
    __syncthreads();
    for (int c = 0; c < COARSE; ++c)
        output[seg + c * BD + t] = data[c * BD + t];
}
