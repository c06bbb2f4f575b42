__global__ void symmetrize(const float* in, float* out, int width) {
    __shared__ float t[32][33];
    int bx = blockIdx.x * 32, by = blockIdx.y * 32;
    for (int k = threadIdx.y; k < 32; k += 8)
        if (bx + k < width && by + threadIdx.x < width) t[k][threadIdx.x] = in[(bx + k) * width + by + threadIdx.x];
    __syncthreads();
    for (int k = threadIdx.y; k < 32; k += 8) {
        int x = bx + threadIdx.x, y = by + k;
        if (x < width && y < width) out[y * width + x] = in[y * width + x] + t[threadIdx.x][k];
    }
}
