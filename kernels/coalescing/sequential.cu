// Lane k of a warp reads word k: the words of a warp are consecutive.

__global__ void sequential(const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        out[i] = in[i];
}
