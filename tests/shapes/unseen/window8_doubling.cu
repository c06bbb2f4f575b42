// Sum of each value and the seven before it, by doubling the distance three times (1, 2, 4) in shared memory.
enum { WIN = 8, OUT = 128, ALL = OUT + WIN - 1 };

__global__ void window_sum(const unsigned short *in, int *out, int n)
{
    __shared__ int ping[ALL], pong[ALL];
    const int base = blockIdx.x * OUT - (WIN - 1);

    for (int t = threadIdx.x; t < ALL; t += blockDim.x) {
        int g = base + t;
        ping[t] = (g >= 0 && g < n) ? in[g] : 0;
    }
    __syncthreads();

    int *from = ping, *to = pong;
    for (int d = 1; d < WIN; d *= 2) {
        for (int t = threadIdx.x; t < ALL; t += blockDim.x)
            to[t] = from[t] + (t >= d ? from[t - d] : 0);
        __syncthreads();
        int *swap = from; from = to; to = swap;
    }

    for (int t = threadIdx.x; t < OUT; t += blockDim.x)
        if (base + WIN - 1 + t < n) out[base + WIN - 1 + t] = from[t + WIN - 1];
}
