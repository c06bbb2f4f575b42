// Walsh-Hadamard transform of rows of 64 values in place, one warp a row, two values a lane, butterflies with xor shuffles.
__global__ void fwht64(float *rows, int count)
{
    const int lane = threadIdx.x & 31;
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    if (row >= count) return;
    float *x = rows + row * 64;

    float lo = x[lane], hi = x[lane + 32];
    float t = lo - hi;
    lo = lo + hi;
    hi = t;
    for (int m = 16; m >= 1; m >>= 1) {
        float a = __shfl_xor_sync(0xffffffff, lo, m);
        float b = __shfl_xor_sync(0xffffffff, hi, m);
        float sign = (lane & m) ? -1.0f : 1.0f;
        lo = fmaf(sign, lo, a);
        hi = fmaf(sign, hi, b);
    }
    x[lane] = lo * 0.125f;
    x[lane + 32] = hi * 0.125f;
}
