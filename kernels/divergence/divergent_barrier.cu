// Even and odd threads wait at two different barriers, and so never all at the same one. What then happens is undefined:
// the block may hang, or go on before the values are there. A barrier belongs where all threads of a block reach it.

__global__ void divergent_barrier(const int* in, int* out)
{
    __shared__ int values[128];

    if (threadIdx.x % 2 == 0) {
        values[threadIdx.x] = in[threadIdx.x];
        __syncthreads();
        out[threadIdx.x] = values[threadIdx.x] + values[threadIdx.x + 1];
    } else {
        values[threadIdx.x] = -in[threadIdx.x];
        __syncthreads();
        out[threadIdx.x] = values[threadIdx.x] - values[threadIdx.x - 1];
    }
}
