// Lanes 3 and 4 of every half-warp read each other's word. All the same words are read, but not in order.

__global__ void swapped_lanes(const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int k = i % 16;  // place in the half-warp

    if (i < n) {
        int j = i;
        if (k == 3 && i + 1 < n)
            j = i + 1;
        if (k == 4)
            j = i - 1;
        out[i] = in[j];
    }
}
