// Matrices by tiles in shared memory; the tile is a template's parameter.
#include <cstdio>
#include <vector>

template <int Tile> __global__ void multiply(const float* M, const float* N, float* P, int width) {
    __shared__ float Ms[Tile][Tile], Ns[Tile][Tile];
    const int row = blockIdx.y * Tile + threadIdx.y, column = blockIdx.x * Tile + threadIdx.x;
    float sum = 0;
    for (int t = 0; t < (width + Tile - 1) / Tile; ++t) {
        const int k = t * Tile;
        Ms[threadIdx.y][threadIdx.x] = row < width && k + threadIdx.x < width ? M[row * width + k + threadIdx.x] : 0;
        Ns[threadIdx.y][threadIdx.x] = column < width && k + threadIdx.y < width ? N[(k + threadIdx.y) * width + column] : 0;
        __syncthreads();
        for (int i = 0; i < Tile; ++i) sum += Ms[threadIdx.y][i] * Ns[i][threadIdx.x];
        __syncthreads();
    }
    if (row < width && column < width) P[row * width + column] = sum;
}

template <int Tile> void check(int width) {
    std::vector<float> m(width * width), n(width * width), p(width * width);
    for (int i = 0; i < width * width; ++i) m[i] = i % 7, n[i] = i % 5;
    const size_t bytes = m.size() * sizeof(float);
    float *M, *N, *P;
    cudaMalloc((void**)&M, bytes);
    cudaMalloc((void**)&N, bytes);
    cudaMalloc((void**)&P, bytes);
    cudaMemcpy(M, m.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(N, n.data(), bytes, cudaMemcpyHostToDevice);
    const dim3 block(Tile, Tile), grid((width + Tile - 1) / Tile, (width + Tile - 1) / Tile);
    multiply<Tile><<<grid, block>>>(M, N, P, width);
    cudaMemcpy(p.data(), P, bytes, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int r = 0; r < width; ++r)
        for (int c = 0; c < width; ++c) {
            float sum = 0;
            for (int k = 0; k < width; ++k) sum += m[r * width + k] * n[k * width + c];
            wrong += sum != p[r * width + c];
        }
    printf("tile %d, width %d: %d wrong\n", Tile, width, wrong);
    cudaFree(M);
    cudaFree(N);
    cudaFree(P);
}

int main() {
    check<8>(32);
    check<16>(37);
}
