// Smallest and largest value of each block.
#include <cfloat>

__global__ void minmax(const float *d_in, float *d_min, float *d_max, int size)
{
    __shared__ float lo[64];
    __shared__ float hi[64];
    const int t = threadIdx.x;
    const int pos = blockIdx.x * blockDim.x + t;
    lo[t] = pos < size ? d_in[pos] : FLT_MAX;
    hi[t] = pos < size ? d_in[pos] : -FLT_MAX;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2)
    {
        if (t < s)
        {
            lo[t] = fminf(lo[t], lo[t + s]);
            hi[t] = fmaxf(hi[t], hi[t + s]);
        }
        __syncthreads();
    }
    if (t == 0)
    {
        d_min[blockIdx.x] = lo[0];
        d_max[blockIdx.x] = hi[0];
    }
}
