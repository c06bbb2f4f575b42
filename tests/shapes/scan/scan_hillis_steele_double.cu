// Exclusive scan of each block with two buffers that take turns.
__global__ void naive_scan(float *g_odata, float *g_idata, int n)
{
    extern __shared__ float temp[]; // 2 * n
    int thid = threadIdx.x;
    int base = blockIdx.x * n;
    int pout = 0, pin = 1;

    temp[thid] = thid > 0 ? g_idata[base + thid - 1] : 0;
    __syncthreads();
    for (int offset = 1; offset < n; offset *= 2)
    {
        pout = 1 - pout;
        pin = 1 - pout;
        if (thid >= offset)
            temp[pout * n + thid] = temp[pin * n + thid] + temp[pin * n + thid - offset];
        else
            temp[pout * n + thid] = temp[pin * n + thid];
        __syncthreads();
    }
    g_odata[base + thid] = temp[pout * n + thid];
}
