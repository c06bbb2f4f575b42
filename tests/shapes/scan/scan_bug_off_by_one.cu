// Inclusive scan whose condition leaves out the thread at exactly the distance.
__global__ void hillisSteele(const int *a, int *b)
{
    __shared__ int x[2][32];
    int tid = threadIdx.x, p = 0;
    x[0][tid] = a[blockIdx.x * 32 + tid];
    __syncthreads();
    for (int d = 1; d < 32; d *= 2) {
        if (tid > d)
            x[1 - p][tid] = x[p][tid] + x[p][tid - d];
        else
            x[1 - p][tid] = x[p][tid];
        p = 1 - p;
        __syncthreads();
    }
    b[blockIdx.x * 32 + tid] = x[p][tid];
}
