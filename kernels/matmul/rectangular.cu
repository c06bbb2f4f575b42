// The general case: M is j x k, N is k x l, P is j x l, with tiles and bounds checks.
// The inner extent k bounds the columns of M and the rows of N; j and l bound the rows and the columns of P.

template <int T>  // tile width; a block has T x T threads
__global__ void mm_rectangular(const float* M, const float* N, float* P, int j, int k, int l)
{
    __shared__ float Mds[T][T];
    __shared__ float Nds[T][T];

    int tx = threadIdx.x, ty = threadIdx.y;
    int Row = blockIdx.y * T + ty;
    int Col = blockIdx.x * T + tx;

    float sum = 0.0f;
    for (int ph = 0; ph * T < k; ++ph) {
        if (Row < j && ph * T + tx < k)
            Mds[ty][tx] = M[Row * k + ph * T + tx];
        else
            Mds[ty][tx] = 0.0f;
        if (ph * T + ty < k && Col < l)
            Nds[ty][tx] = N[(ph * T + ty) * l + Col];
        else
            Nds[ty][tx] = 0.0f;
        __syncthreads();

        for (int i = 0; i < T; ++i)
            sum += Mds[ty][i] * Nds[i][tx];
        __syncthreads();
    }
    if (Row < j && Col < l)
        P[Row * l + Col] = sum;
}
