// Value of a polynomial for each x, by Horner's rule.
__global__ void polyEval(const float *coef, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = coef[0];
    for (int k = 1; k < 8; ++k)
        v = v * x[i] + coef[k];
    y[i] = v;
}
