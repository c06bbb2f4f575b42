// Tiles of several warps, which meet by themselves while others are elsewhere.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>

namespace cg = cooperative_groups;

template <int Size> __global__ void reverse(int* a) {
    __shared__ int s[1024];
    const cg::thread_block block = cg::this_thread_block();
    const auto tile = cg::tiled_partition<Size>(block);
    const int first = tile.meta_group_rank() * tile.size();
    for (int round = 0; round < 3; ++round) {
        if (tile.meta_group_rank() % 2 == round % 2 || tile.meta_group_size() == 1) {
            s[block.thread_rank()] = a[block.thread_rank()];
            tile.sync();
            a[block.thread_rank()] = s[first + tile.size() - 1 - tile.thread_rank()] + 1;
            tile.sync();
        }
    }
}

template <int Size> __global__ void sums(double* out) {
    const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
    const double sum = cg::reduce(tile, double(threadIdx.x), cg::plus<double>());
    const int most = cg::reduce(tile, int(threadIdx.x), cg::greater<int>());
    out[threadIdx.x] = sum + most * 1e6;
}

template <int Size> void test(int* a) {
    int host[1024];
    for (int i = 0; i < 1024; ++i)
        host[i] = i;
    cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
    reverse<Size><<<1, 1024>>>(a);
    cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d: %d %d %d\n", Size, host[0], host[Size % 1024], host[1023]);
}

int main() {
    int* a;
    cudaMalloc(&a, 1024 * sizeof(int));
    test<64>(a);
    test<128>(a);
    test<256>(a);
    test<512>(a);
    test<1024>(a);
    double *b, host[1024];
    cudaMalloc(&b, sizeof host);
    sums<128><<<1, 1024>>>(b);
    cudaMemcpy(host, b, sizeof host, cudaMemcpyDeviceToHost);
    printf("%.0f %.0f %.0f\n", host[0], host[130], host[1023]);
    cudaFree(b);
    cudaFree(a);
}
