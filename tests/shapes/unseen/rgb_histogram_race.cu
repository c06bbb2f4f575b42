// Three histograms of 32 counters of the red, green and blue of an image; mistake: counters in global memory are increased without atomicAdd, so counts get lost.
__global__ void histRGB(const uchar4 *pixels, int numPixels, int *hist)
{
    int *r = hist, *g = hist + 32, *b = hist + 64;
    int idx = blockDim.x * blockIdx.x + threadIdx.x;
    int stride = blockDim.x * gridDim.x;
    while (idx < numPixels) {
        uchar4 p = pixels[idx];
        r[p.x / 8]++;
        g[p.y / 8]++;
        b[p.z / 8]++;
        idx += stride;
    }
}
