// Running sums the direct way (Hillis and Steele): in each step every element adds what lies `offset` before it, and the
// offset doubles. log2(block) steps, but about block * log2(block) additions: more work than one thread would need.
// Two rows of shared memory take turns, so that no thread overwrites what another still reads.

__global__ void scan_hillis_steele(const int* in, int* out, int* totals, int n)
{
    extern __shared__ int rows[];
    int* from = rows;
    int* to = rows + blockDim.x;

    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    from[tid] = i < n ? in[i] : 0;
    __syncthreads();

    for (int offset = 1; offset < blockDim.x; offset *= 2) {
        to[tid] = tid >= offset ? from[tid] + from[tid - offset] : from[tid];
        __syncthreads();
        int* swap = from;
        from = to;
        to = swap;
    }
    if (i < n)
        out[i] = from[tid];
    if (tid == blockDim.x - 1)
        totals[blockIdx.x] = from[tid];
}

// What all earlier blocks add up to, once `totals` has been scanned itself.
__global__ void scan_add_totals(int* out, const int* totals, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += totals[blockIdx.x - 1];
}
