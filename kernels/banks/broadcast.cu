// One warp. `sharing` neighboring lanes load the same word: a bank reads it once and delivers it to all of them.

__global__ void bank_broadcast(const float* in, float* out, int sharing)
{
    __shared__ float words[32];

    words[threadIdx.x] = in[threadIdx.x];
    __syncthreads();

    out[threadIdx.x] = words[threadIdx.x / sharing];
}
