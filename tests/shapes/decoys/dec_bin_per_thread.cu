// Histogram without atomics: each thread reads everything and counts its own bin.
__global__ void countBins(const int *data, int *bins, int n)
{
    int myBin = blockIdx.x * blockDim.x + threadIdx.x;
    int count = 0;
    for (int i = 0; i < n; i++)
        if (data[i] == myBin)
            count++;
    bins[myBin] = count;
}
