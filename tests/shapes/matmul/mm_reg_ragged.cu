// 4 x 4 sums, every access is checked
template <typename T, int BS, int R>
__global__ void ragged(const T* lhs, const T* rhs, T* out, int rows, int inner, int cols)
{
    __shared__ T l[BS * R][BS];
    __shared__ T r[BS][BS * R];
    T acc[R][R];
    for (int i = 0; i < R; i++) for (int j = 0; j < R; j++) acc[i][j] = T(0);
    int br = blockIdx.y * BS * R, bc = blockIdx.x * BS * R;
    for (int k0 = 0; k0 < inner; k0 += BS) {
        for (int i = 0; i < R; i++) {
            int y = br + threadIdx.y + i * BS, k = k0 + threadIdx.x;
            l[threadIdx.y + i * BS][threadIdx.x] = y < rows && k < inner ? lhs[y * inner + k] : T(0);
            int x = bc + threadIdx.x + i * BS, kk = k0 + threadIdx.y;
            r[threadIdx.y][threadIdx.x + i * BS] = x < cols && kk < inner ? rhs[kk * cols + x] : T(0);
        }
        __syncthreads();
        for (int k = 0; k < BS; k++)
            for (int i = 0; i < R; i++)
                for (int j = 0; j < R; j++) acc[i][j] += l[threadIdx.y * R + i][k] * r[k][threadIdx.x * R + j];
        __syncthreads();
    }
    for (int i = 0; i < R; i++)
        for (int j = 0; j < R; j++) {
            int y = br + threadIdx.y * R + i, x = bc + threadIdx.x * R + j;
            if (y < rows && x < cols) out[y * cols + x] = acc[i][j];
        }
}
