// Sum with vector loads; xor shuffles within each warp and again over the warps.
__global__ void sum_vec4(const float4* __restrict__ v, float* result, int n4)
{
    __shared__ float warpSums[4];
    float acc = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n4; i += gridDim.x * blockDim.x) {
        float4 q = v[i];
        acc += (q.x + q.y) + (q.z + q.w);
    }
#pragma unroll
    for (int m = 16; m; m >>= 1) acc += __shfl_xor_sync(0xffffffffu, acc, m);
    if (threadIdx.x % 32 == 0) warpSums[threadIdx.x / 32] = acc;
    __syncthreads();
    if (threadIdx.x < 4) {
        acc = warpSums[threadIdx.x];
        acc += __shfl_xor_sync(0xfu, acc, 2);
        acc += __shfl_xor_sync(0xfu, acc, 1);
        if (threadIdx.x == 0) atomicAdd(result, acc);
    }
}
