// All totals with one load; the scan is by multiplication with the lane's bit.
__global__ void scan(const int* in, int* out, int n) {
    __shared__ int4 totals;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, w = t >> 5, v = i < n ? in[i] : 0;
#pragma unroll
    for (int d = 1; d <= 16; d *= 2) v += __shfl_up_sync(0xffffffff, v, d) * ((t & 31) >= d);
    if ((t & 31) == 31) (&totals.x)[w] = v;
    __syncthreads();
    int4 all = totals;
    v += (w > 0) * all.x + (w > 1) * all.y + (w > 2) * all.z;
    if (i < n) out[i] = v;
}
