// Euclidean norm of each row of a matrix, one block for each row.
__global__ void row_l2(const float *X, float *norms, int d)
{
    __shared__ float partial[64];
    const float *row = X + blockIdx.x * d;
    float acc = 0.f;
    for (int j = threadIdx.x; j < d; j += blockDim.x)
        acc += row[j] * row[j];
    partial[threadIdx.x] = acc;
    for (unsigned stride = blockDim.x / 2; stride > 0; stride >>= 1)
    {
        __syncthreads();
        if (threadIdx.x < stride)
            partial[threadIdx.x] += partial[threadIdx.x + stride];
    }
    if (threadIdx.x == 0)
        norms[blockIdx.x] = sqrtf(partial[0]);
}
