// fails: correct, races
// A fast warp overwrites the tile that a slow one still reads.
__global__ void multiply(const float* M, const float* N, float* P, int width) {
    __shared__ float Ms[16][16], Ns[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int Col = blockIdx.x * 16 + tx, Row = blockIdx.y * 16 + ty * 4;
    float sum[4] = {0, 0, 0, 0};
    for (int ph = 0; ph < (width + 15) / 16; ++ph) {
#pragma unroll
        for (int r = 0; r < 4; ++r) {
            int m = ph * 16 + tx, n = ph * 16 + ty * 4 + r;
            Ms[ty * 4 + r][tx] = Row + r < width && m < width ? M[(Row + r) * width + m] : 0;
            Ns[ty * 4 + r][tx] = n < width && Col < width ? N[n * width + Col] : 0;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; ++k) {
            float value = Ns[k][tx];
#pragma unroll
            for (int r = 0; r < 4; ++r)
                sum[r] += Ms[ty * 4 + r][k] * value;
        }
    }
#pragma unroll
    for (int r = 0; r < 4; ++r)
        if (Row + r < width && Col < width) P[(Row + r) * width + Col] = sum[r];
}
