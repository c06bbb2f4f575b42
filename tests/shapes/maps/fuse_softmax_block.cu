// Softmax of each row, one block for each: a maximum, a sum and a division.
#include <cfloat>
#define THREADS 64

__global__ void softmax_rows(const float *in, float *out, int cols)
{
    __shared__ float red[THREADS];
    const float *x = in + blockIdx.x * cols;
    float *y = out + blockIdx.x * cols;
    int t = threadIdx.x;

    float m = -FLT_MAX;
    for (int c = t; c < cols; c += THREADS) m = fmaxf(m, x[c]);
    red[t] = m;
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s >>= 1) {
        if (t < s) red[t] = fmaxf(red[t], red[t + s]);
        __syncthreads();
    }
    m = red[0];
    __syncthreads();

    float sum = 0.f;
    for (int c = t; c < cols; c += THREADS) sum += expf(x[c] - m);
    red[t] = sum;
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s >>= 1) {
        if (t < s) red[t] += red[t + s];
        __syncthreads();
    }
    for (int c = t; c < cols; c += THREADS) y[c] = expf(x[c] - m) / red[0];
}
