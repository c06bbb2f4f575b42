// Matrix product with tall blocks of 8 x 32 threads; the first 8 rows of threads load the tile of B.
const int TX = 8;
const int TY = 32;

__global__ void MatMul(float const* A, float const* B, float* C, int K, int N) {
    __shared__ float Asub[TY][TX];
    __shared__ float Bsub[TX][TX];
    const int r = blockIdx.y * TY + threadIdx.y;
    const int c = blockIdx.x * TX + threadIdx.x;
    float res = 0.f;
    for (int s = 0; s < K / TX; ++s) {
        Asub[threadIdx.y][threadIdx.x] = A[r * K + s * TX + threadIdx.x];
        if (threadIdx.y < TX) {
            Bsub[threadIdx.y][threadIdx.x] = B[(s * TX + threadIdx.y) * N + c];
        }
        __syncthreads();
        for (int e = 0; e < TX; ++e) {
            res = fmaf(Asub[threadIdx.y][e], Bsub[e][threadIdx.x], res);
        }
        __syncthreads();
    }
    C[r * N + c] = res;
}
