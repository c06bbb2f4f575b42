// Only the first four of the eight words of every sector are stored. Before L2 can write such a sector to device memory, it has to
// read the other half of it from there.

__global__ void store_part_sectors(float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n && i % 8 < 4)
        out[i] = i;
}
