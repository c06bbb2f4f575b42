// C = transpose(A) * B, as in the gradient of a dense layer.
__global__ void atb(const double *X, const double *dY, double *dW, int batch, int in, int out)
{
    int o = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= in || o >= out) return;
    double g = 0;
    for (int b = 0; b < batch; ++b)
        g += X[b * in + i] * dY[b * out + o];
    dW[i * out + o] = g;
}
