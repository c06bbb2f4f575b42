// Mean of each column, one thread for each.
__global__ void columnMean(double *data, double *mean, int n, int m)
{
    int j = threadIdx.x + blockIdx.x * blockDim.x;
    if (j >= m) return;
    mean[j] = 0.0;
    for (int i = 0; i < n; ++i)
        mean[j] += data[i * m + j];
    mean[j] /= n;
}
