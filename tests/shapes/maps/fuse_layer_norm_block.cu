// Layer norm, one block for each row: sum and sum of squares in one tree, then a map.
__global__ void layerNorm(const float *x, float *y, int cols)
{
    __shared__ float2 acc[64];
    const float *row = x + blockIdx.x * cols;
    float2 a = make_float2(0.f, 0.f);
    for (int c = threadIdx.x; c < cols; c += blockDim.x) {
        a.x += row[c];
        a.y += row[c] * row[c];
    }
    acc[threadIdx.x] = a;
    __syncthreads();
    for (int h = blockDim.x / 2; h > 0; h >>= 1) {
        if (threadIdx.x < h) {
            acc[threadIdx.x].x += acc[threadIdx.x + h].x;
            acc[threadIdx.x].y += acc[threadIdx.x + h].y;
        }
        __syncthreads();
    }
    float mean = acc[0].x / cols;
    float inv = rsqrtf(acc[0].y / cols - mean * mean + 1e-5f);
    for (int c = threadIdx.x; c < cols; c += blockDim.x)
        y[blockIdx.x * cols + c] = (row[c] - mean) * inv;
}
