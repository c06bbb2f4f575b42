// Four values with a load.
__global__ void histogram(const unsigned char* values, int* counts, int n, int bins) {
    __shared__ int c[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x) c[b] = 0;
    __syncthreads();
    int me = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    for (int w = me; w < n / 4; w += all) {
        uchar4 v = ((const uchar4*)values)[w];
        atomicAdd(&c[v.x % bins], 1); atomicAdd(&c[v.y % bins], 1); atomicAdd(&c[v.z % bins], 1); atomicAdd(&c[v.w % bins], 1);
    }
    if (me < n % 4) atomicAdd(&c[values[n - 1 - me] % bins], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += blockDim.x) if (int k = c[b]) atomicAdd(&counts[b], k);
}
