// One warp. Neighboring lanes load words of shared memory that are `stride` words apart.

__global__ void bank_stride(const float* in, float* out, int stride)
{
    __shared__ float words[1024];

    for (int k = threadIdx.x; k < 1024; k += 32)
        words[k] = in[k];
    __syncthreads();

    out[threadIdx.x] = words[threadIdx.x * stride];
}
