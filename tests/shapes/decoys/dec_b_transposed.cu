// C = A * transpose(B), naive.
__global__ void abt_kernel(const float *A, const float *B, float *C, int Ni, int Nj, int Nk)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < Ni && j < Nj) {
        float sum = 0.0f;
        for (int k = 0; k < Nk; k++)
            sum += A[i * Nk + k] * B[j * Nk + k];
        C[i * Nj + j] = sum;
    }
}
