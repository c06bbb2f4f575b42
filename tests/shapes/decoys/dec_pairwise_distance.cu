// Squared distances between two sets of points in 8 dimensions.
#define DIM 8
__global__ void pairwise(const float *P, const float *Q, float *D, int np, int nq)
{
    __shared__ float sp[8][DIM], sq[8][DIM];
    int tx = threadIdx.x, ty = threadIdx.y;
    int i = blockIdx.y * 8 + ty, j = blockIdx.x * 8 + tx;
    int jl = blockIdx.x * 8 + ty;
    sp[ty][tx] = i < np ? P[i * DIM + tx] : 0.f;
    sq[ty][tx] = jl < nq ? Q[jl * DIM + tx] : 0.f;
    __syncthreads();
    float sum = 0.f;
    for (int d = 0; d < DIM; ++d) {
        float diff = sp[ty][d] - sq[tx][d];
        sum += diff * diff;
    }
    if (i < np && j < nq)
        D[i * nq + j] = sum;
}
