// How far the blocks of an SM have come, by their age: a multiplication in tiles whose blocks note the clock at every eighth of their way.
//     nvcc -O3 -arch=sm_90 -o ages ages.cu && ./ages > blocks.csv
// A row a block: width, tile, block, SM, nine clocks. ages.csv has the mean over the SMs of how far each of an SM's first blocks was when the first of
// them ended.
#include <cstdio>
#include <vector>

struct Row {
    unsigned sm;
    long long clocks[9];
};

__device__ unsigned ownSm() {
    unsigned sm;
    asm volatile("mov.u32 %0, %smid;" : "=r"(sm));
    return sm;
}

template <int T> __global__ void tiled(const float* M, const float* N, float* P, int width, Row* rows) {
    __shared__ float Mds[T][T], Nds[T][T];
    const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
    const int tiles = width / T, eighth = tiles / 8;
    const bool first = tx == 0 && ty == 0;
    Row* own = rows + blockIdx.y * gridDim.x + blockIdx.x;
    float sum = 0;
    if (first) {
        own->sm = ownSm();
        own->clocks[0] = clock64();
    }
    for (int tile = 0; tile < tiles; ++tile) {
        Mds[ty][tx] = M[row * width + tile * T + tx];
        Nds[ty][tx] = N[(tile * T + ty) * width + col];
        __syncthreads();
        for (int k = 0; k < T; ++k) sum += Mds[ty][k] * Nds[k][tx];
        __syncthreads();
        if (first && (tile + 1) % eighth == 0) own->clocks[(tile + 1) / eighth] = clock64();
    }
    P[row * width + col] = sum;
}

template <int T> void measure(int width) {
    const int side = width / T, blocks = side * side;
    const size_t bytes = sizeof(float) * width * width;
    float *M, *N, *P;
    Row* rows;
    cudaMalloc(&M, bytes);
    cudaMalloc(&N, bytes);
    cudaMalloc(&P, bytes);
    cudaMalloc(&rows, blocks * sizeof(Row));
    cudaMemset(M, 0, bytes);
    cudaMemset(N, 0, bytes);
    for (int time = 0; time < 3; ++time) tiled<T><<<dim3(side, side), dim3(T, T)>>>(M, N, P, width, rows);
    std::vector<Row> host(blocks);
    cudaMemcpy(host.data(), rows, blocks * sizeof(Row), cudaMemcpyDeviceToHost);
    for (int block = 0; block < blocks; ++block) {
        printf("%d,%d,%d,%u", width, T, block, host[block].sm);
        for (long long clock : host[block].clocks) printf(",%lld", clock);
        printf("\n");
    }
    cudaFree(M);
    cudaFree(N);
    cudaFree(P);
    cudaFree(rows);
}

int main() {
    measure<8>(512);
    measure<16>(1024);
    measure<16>(2048);
    measure<32>(512);
    measure<32>(1024);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
