// Histogram where a thread collects a run of equal values before its atomic addition.
__global__ void histogramAggregated(const int *data, unsigned int *histo, unsigned int length)
{
    unsigned int tid = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int accumulator = 0;
    int prevBinIdx = -1;
    for (unsigned int i = tid; i < length; i += blockDim.x * gridDim.x) {
        int bin = data[i];
        if (bin == prevBinIdx) {
            ++accumulator;
        } else {
            if (accumulator > 0)
                atomicAdd(&histo[prevBinIdx], accumulator);
            accumulator = 1;
            prevBinIdx = bin;
        }
    }
    if (accumulator > 0)
        atomicAdd(&histo[prevBinIdx], accumulator);
}
