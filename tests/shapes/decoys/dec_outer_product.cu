// Outer product of two vectors.
__global__ void outer(const float *u, const float *v, float *M, int m, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < m && j < n)
        M[i * n + j] = u[i] * v[j];
}
