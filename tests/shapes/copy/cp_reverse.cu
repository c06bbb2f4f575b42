// Reverses a vector.
__global__ void reverse_vector(const float *in, float *out, int n)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < n)
        out[n - 1 - idx] = in[idx];
}
