// Functions of mathematics and of warps.
#include <cmath>
#include <cstdio>

__global__ void compute(double* d, float* f, int* i) {
    const double x = 0.5;
    d[0] = sin(x), d[1] = exp(x), d[2] = log(x), d[3] = pow(x, 3.0), d[4] = sqrt(x), d[5] = tanh(x), d[6] = floor(-x), d[7] = fmax(x, 2.0);
    f[0] = sinf(0.5f), f[1] = expf(0.5f), f[2] = logf(0.5f), f[3] = powf(0.5f, 3.0f), f[4] = rsqrtf(4.0f), f[5] = atan2f(1.0f, 1.0f),
    f[6] = fabsf(-2.5f), f[7] = min(1.5f, 2.5f);
    i[0] = __popc(0xff), i[1] = __clz(1), i[2] = __ffs(8), i[3] = max(3, 4), i[4] = abs(-7), i[5] = __float2int_rn(2.5f),
    i[6] = int(__umulhi(0x80000000u, 6u)), i[7] = __brev(1) == 0x80000000u;
}
__global__ void warps(int* out) {
    const int lane = threadIdx.x;
    int sum = lane;
    for (int by = 16; by > 0; by /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, by);
    const unsigned int even = __ballot_sync(0xffffffffu, lane % 2 == 0);
    const int up = __shfl_up_sync(0xffffffffu, lane, 1);
    if (lane == 5) out[0] = sum, out[1] = int(even), out[2] = up, out[3] = __any_sync(1u << 5, 1);
}

int main() {
    double *d, hd[8];
    float *f, hf[8];
    int *i, hi[8];
    cudaMalloc(&d, sizeof hd), cudaMalloc(&f, sizeof hf), cudaMalloc(&i, sizeof hi);
    compute<<<1, 1>>>(d, f, i);
    cudaMemcpy(hd, d, sizeof hd, cudaMemcpyDeviceToHost), cudaMemcpy(hf, f, sizeof hf, cudaMemcpyDeviceToHost);
    cudaMemcpy(hi, i, sizeof hi, cudaMemcpyDeviceToHost);
    for (double value : hd) printf("%.6f ", value);
    printf("\n");
    for (float value : hf) printf("%.5f ", value);
    printf("\n");
    for (int value : hi) printf("%d ", value);
    warps<<<1, 32>>>(i);
    cudaMemcpy(hi, i, sizeof hi, cudaMemcpyDeviceToHost);
    printf("\n%d %x %d %d\n", hi[0], hi[1], hi[2], hi[3]);
    cudaFree(d), cudaFree(f), cudaFree(i);
}
