// Product in double precision that walks its tiles by begin, end and step; the result comes first.
template <int BS>
__global__ void matMulBlocks(double *out, const double *lhs, const double *rhs, int wLhs, int wRhs)
{
    const int first = wLhs * BS * blockIdx.y;
    const int last = first + wLhs - 1;
    double part = 0;

    for (int a = first, b = BS * blockIdx.x; a <= last; a += BS, b += BS * wRhs)
    {
        __shared__ double tileL[BS][BS];
        __shared__ double tileR[BS][BS];
        tileL[threadIdx.y][threadIdx.x] = lhs[a + wLhs * threadIdx.y + threadIdx.x];
        tileR[threadIdx.y][threadIdx.x] = rhs[b + wRhs * threadIdx.y + threadIdx.x];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BS; ++k)
            part += tileL[threadIdx.y][k] * tileR[k][threadIdx.x];
        __syncthreads();
    }
    int c = wRhs * BS * blockIdx.y + BS * blockIdx.x;
    out[c + wRhs * threadIdx.y + threadIdx.x] = part;
}
