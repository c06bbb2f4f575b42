// Three-point average from shared memory that never loads the halo: the rim of a block sees zeros.
__global__ void blur1d(const float *in, float *out, int n)
{
    __shared__ float s[66];
    int g = blockIdx.x * 64 + threadIdx.x;
    int l = threadIdx.x + 1;
    if (threadIdx.x == 0) s[0] = s[65] = 0.f;
    s[l] = g < n ? in[g] : 0.f;
    __syncthreads();
    if (g < n)
        out[g] = (s[l - 1] + s[l] + s[l + 1]) / 3.f;
}
