// WRONG on purpose: hillis_steele.cu with one row instead of two. A fast warp overwrites an element that a slow warp still
// has to read.

__global__ void scan_in_place(const int* in, int* out, int* totals, int n)
{
    extern __shared__ int row[];

    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    row[tid] = i < n ? in[i] : 0;
    __syncthreads();

    for (int offset = 1; offset < blockDim.x; offset *= 2) {
        if (tid >= offset)
            row[tid] += row[tid - offset];  // here a __syncthreads() between reading and writing is missing
        __syncthreads();
    }
    if (i < n)
        out[i] = row[tid];
    if (tid == blockDim.x - 1)
        totals[blockIdx.x] = row[tid];
}

__global__ void scan_add_totals(int* out, const int* totals, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
        out[i] += totals[blockIdx.x - 1];
}
