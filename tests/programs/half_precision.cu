// Halves and pairs of halves: the bits of every result in a kernel, which host code must have as well.
#include <cstdio>
#include <cuda_fp16.h>

constexpr int kCount = 12, kResults = 15;

// Both in a kernel and in host code.
__host__ __device__ void compute(half a, half b, unsigned short* to) {
    const half2 pair = __halves2half2(a, b), other = __lowhigh2highlow(pair);
    const half results[] = {a + b,
                            a - b,
                            a * b,
                            a / b,
                            __hfma(a, b, a),
                            __hfma_sat(a, b, b),
                            -__habs(a),
                            __hmin(a, b),
                            __hmax(a, b),
                            __hmax_nan(a, b),
                            __high2half(__hadd2(pair, __half2half2(b))),
                            __low2half(__hmul2_sat(pair, other)),
                            __int2half_rz(__half2int_ru(b)),
                            half(float(a < b) + 2 * float(__hneu(a, b)) + 4 * float(__hequ(a, b))),
                            __float2half_ru(__half2float(a) * 1.0001f)};
    for (int i = 0; i < kResults; ++i)
        to[i] = __half_as_ushort(results[i]);
}

__global__ void computeAll(const half* a, const half* b, unsigned short* to) {
    compute(a[threadIdx.x], b[threadIdx.x], to + threadIdx.x * kResults);
}

__global__ void sums(half2* pair, half* one) {
    const half value = __shfl_down_sync(0xffffffffu, half(int(threadIdx.x)), 1);  // 1, 2, ... 31, 31
    atomicAdd(pair, __halves2half2(value, hfloor(hsqrt(value))));
    atomicAdd(one + 1, hrcp(half(4)));
}

int main() {
    const unsigned short bits[2][kCount] = {
        {0x3c00, 0xc000, 0x2e66, 0x7bff, 0x0001, 0x8000, 0x7c00, 0x7e00, 0x3555, 0x0400, 0x6400, 0xb9a3},
        {0x3800, 0x4248, 0x3266, 0x3c00, 0x0003, 0x0000, 0xfc00, 0x4000, 0x3555, 0x3800, 0x1400, 0x4580}};
    half *a, *b, *one;
    half2* pair;
    unsigned short* results;
    cudaMallocManaged(&a, kCount * sizeof(half));
    cudaMallocManaged(&b, kCount * sizeof(half));
    cudaMallocManaged(&one, 2 * sizeof(half));
    cudaMallocManaged(&pair, sizeof(half2));
    cudaMallocManaged(&results, kCount * kResults * sizeof(short));
    for (int i = 0; i < kCount; ++i)
        a[i] = __ushort_as_half(bits[0][i]), b[i] = __ushort_as_half(bits[1][i]);
    *pair = __float2half2_rn(0);
    one[0] = one[1] = 1.5f;
    computeAll<<<1, kCount>>>(a, b, results);
    sums<<<1, 32>>>(pair, one);
    cudaDeviceSynchronize();
    int different = 0;
    for (int i = 0; i < kCount; ++i) {
        unsigned short host[kResults];
        compute(a[i], b[i], host);
        for (int j = 0; j < kResults; ++j) {
            different += host[j] != results[i * kResults + j];
            printf("%04x%c", results[i * kResults + j], j + 1 < kResults ? ' ' : '\n');
        }
    }
    printf("%d different in host code\n", different);
    printf("%g %g, %g %g\n", __low2float(*pair), __high2float(*pair), float(one[0]), float(one[1]));
    const float edges[] = {65504, 65519.9f, 65520, -65520, 1e-8f, -1e-8f, 2.98e-8f, 2.99e-8f, 1.00049f};
    for (const float edge : edges)
        printf("%04x %04x %04x %04x\n", __half_as_ushort(__float2half_rn(edge)),
               __half_as_ushort(__float2half_rz(edge)), __half_as_ushort(__float2half_rd(edge)),
               __half_as_ushort(__float2half_ru(edge)));
    cudaFree(a), cudaFree(b), cudaFree(one), cudaFree(pair), cudaFree(results);
}
