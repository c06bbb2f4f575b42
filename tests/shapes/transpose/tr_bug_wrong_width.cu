// Naive transpose that uses the input's width for the output's rows as well.
__global__ void trans(const float *in, float *out, int width, int height)
{
    int x = threadIdx.x + blockIdx.x * blockDim.x;
    int y = threadIdx.y + blockIdx.y * blockDim.y;
    if (x >= width || y >= height) return;
    out[x * width + y] = in[y * width + x];
}
