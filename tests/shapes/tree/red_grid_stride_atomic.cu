// Whole sum in one launch: a grid-stride loop, a tree in shared memory and an atomic addition per block.
#define THREADS 64

__global__ void sum_kernel(const float* input, float* output, int N) {
    __shared__ float cache[THREADS];
    int tid = threadIdx.x;
    float temp = 0.0f;
    for (int i = blockIdx.x * blockDim.x + tid; i < N; i += blockDim.x * gridDim.x) {
        temp += input[i];
    }
    cache[tid] = temp;
    __syncthreads();

    for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
        if (tid < stride) cache[tid] += cache[tid + stride];
        __syncthreads();
    }
    if (tid == 0) atomicAdd(output, cache[0]);
}
