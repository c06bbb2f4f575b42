// Gradient of a bias: sum of every column of dY, collected with atomicAdd in shared memory and then in global memory.
__global__ void bias_backward(const float *__restrict__ dY, float *__restrict__ db, int batch, int C)
{
    extern __shared__ float acc[];
    for (int c = threadIdx.x; c < C; c += blockDim.x) acc[c] = 0.f;
    __syncthreads();

    int total = batch * C;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < total; i += blockDim.x * gridDim.x)
        atomicAdd(acc + i % C, dY[i]);
    __syncthreads();

    for (int c = threadIdx.x; c < C; c += blockDim.x) atomicAdd(db + c, acc[c]);
}
