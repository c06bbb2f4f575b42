// The same points as three arrays, one after the other: all x, all y, all z. Each load reads consecutive words.

__global__ void structure_of_arrays(const float* points, float* out, int n)
{
    const float* x = points;
    const float* y = points + n;
    const float* z = points + 2 * n;
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        out[i] = x[i] + y[i] + z[i];
}
