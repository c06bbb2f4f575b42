// Copies doubles from an offset on, so that accesses are not aligned.
__global__ void offsetCopy(double* out, const double* in, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + offset;
    out[i] = in[i];
}
