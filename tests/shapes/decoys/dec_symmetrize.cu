// Mean of a matrix and its transpose.
__global__ void symmetrize(const float *A, float *S, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n)
        S[i * n + j] = 0.5f * (A[i * n + j] + A[j * n + i]);
}
