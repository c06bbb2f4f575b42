// Histogram of real numbers between lo and hi in 20 bins.
#define NBINS 20
__global__ void histFloat(const float *x, int *bins, int n, float lo, float hi)
{
    const float scale = NBINS / (hi - lo);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int b = (int)((x[i] - lo) * scale);
        b = b < 0 ? 0 : (b >= NBINS ? NBINS - 1 : b);
        atomicAdd(&bins[b], 1);
    }
}
