// Three histograms of a color image with 8 bins for each channel.
struct RGB { unsigned char r, g, b; };

__global__ void histRGB(const RGB *pixels, int *hist, int count)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= count) return;
    RGB p = pixels[id];
    atomicAdd(&hist[p.r / 32], 1);
    atomicAdd(&hist[8 + p.g / 32], 1);
    atomicAdd(&hist[16 + p.b / 32], 1);
}
