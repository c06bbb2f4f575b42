// Split-K: blockIdx.z takes a part of the inner dimension and adds its part of the sums atomically.
__global__ void splitk_gemm(const float *A, const float *B, float *C, int K, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int len = K / gridDim.z;
    int begin = blockIdx.z * len;

    float partial = 0.f;
    for (int k = begin; k < begin + len; ++k)
        partial += A[row * K + k] * B[k * N + col];

    atomicAdd(&C[row * N + col], partial);
}
