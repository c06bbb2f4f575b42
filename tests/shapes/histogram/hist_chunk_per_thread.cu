// Histogram of gray values in 8 bins, each thread takes a part of neighboring pixels.
__global__ void histoContiguous(const unsigned char* img, int* h, int n)
{
    __shared__ int local[8];
    if (threadIdx.x < 8) local[threadIdx.x] = 0;
    __syncthreads();
    int per = (n + gridDim.x * blockDim.x - 1) / (gridDim.x * blockDim.x);
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * per;
    for (int k = first; k < first + per && k < n; ++k)
        atomicAdd(local + (img[k] >> 5), 1);
    __syncthreads();
    if (threadIdx.x < 8) atomicAdd(h + threadIdx.x, local[threadIdx.x]);
}
