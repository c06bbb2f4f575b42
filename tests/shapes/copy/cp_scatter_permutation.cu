// Scatters elements to the places that a permutation names.
__global__ void scatter(const float *in, const int *where, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[where[i]] = in[i];
}
