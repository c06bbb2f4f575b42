// Two buffers take turns; the barrier that keeps a fast warp out of the buffer that is still read is missing.
__global__ void turns_of_two(const int* in, int* out) {
    __shared__ int buffer[2][64];
    int t = threadIdx.x;
    buffer[0][t] = in[t];
    __syncthreads();
    for (int round = 0; round < 5; ++round) {
        int now = round % 2;
        int left = buffer[now][(t + 63) % 64], right = buffer[now][(t + 1) % 64];
        buffer[1 - now][t] = left + right;
        if (round != 2)
            __syncthreads();
    }
    __syncthreads();
    out[t] = buffer[1][t];
}
