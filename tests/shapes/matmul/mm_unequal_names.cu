// Square product with blocks of 10 x 10 and everything as flat arrays.
__global__ void kernelMult(float *dev_a, float *dev_b, float *dev_c, int dim)
{
    int fila = blockIdx.y * blockDim.y + threadIdx.y;
    int columna = blockIdx.x * blockDim.x + threadIdx.x;

    if (fila < dim && columna < dim)
    {
        dev_c[fila * dim + columna] = 0;
        for (int i = 0; i < dim; i++)
            dev_c[fila * dim + columna] += dev_a[fila * dim + i] * dev_b[i * dim + columna];
    }
}
