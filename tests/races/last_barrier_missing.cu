// A tree reduction that forgets the barrier at the end of a step (Programming Massively Parallel Processors,
// an exercise of the chapter on reduction). Launch: <<<1, 128>>>.
__global__ void last_barrier_missing(const int* in, int* out) {
    __shared__ int sums[128];
    const int t = threadIdx.x;
    sums[t] = in[t];
    __syncthreads();
    for (int stride = 64; stride > 0; stride /= 2)
        if (t < stride) sums[t] += sums[t + stride];
    if (t == 0) *out = sums[0];
}
