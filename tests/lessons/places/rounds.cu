// Sums and maxima in members, and the same sums in an array of their own.
__global__ void rounds(int2* out) {
    __shared__ int2 both[16];
    __shared__ int sums[16];
    int t = threadIdx.x;
    both[t] = make_int2(t + 1, (t * 7) % 16);
    sums[t] = 2 * t;
    __syncthreads();
    for (int d = 8; d; d /= 2) {
        if (t < d) {
            int2 a = both[t], b = both[t + d];
            both[t] = make_int2(a.x + b.x, max(a.y, b.y));
            sums[t] += sums[t + d];
        }
        __syncthreads();
    }
    if (t == 0) *out = make_int2(both[0].x + sums[0], both[0].y);
}
