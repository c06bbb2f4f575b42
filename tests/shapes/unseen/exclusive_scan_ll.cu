// Exclusive prefix sum of 64-bit integers in place, within each block, four values a thread in vectors, and the total of each block.
template <int THREADS>
__device__ long long scan_threads(long long x, long long &total)
{
    __shared__ long long of_warp[THREADS / 32];
    const int lane = threadIdx.x % 32, w = threadIdx.x / 32;
    long long incl = x;
#pragma unroll
    for (int d = 1; d < 32; d <<= 1) {
        long long y = __shfl_up_sync(0xffffffffu, incl, d);
        if (lane >= d) incl += y;
    }
    if (lane == 31) of_warp[w] = incl;
    __syncthreads();
    long long before = 0;
    total = 0;
#pragma unroll
    for (int i = 0; i < THREADS / 32; ++i) {
        if (i < w) before += of_warp[i];
        total += of_warp[i];
    }
    return before + incl - x;
}

template <int THREADS>
__global__ void exscan(longlong2 *io, long long *totals)
{
    longlong2 *p = io + (blockIdx.x * THREADS + threadIdx.x) * 2;
    longlong2 a = p[0], b = p[1];
    long long total;
    long long run = scan_threads<THREADS>(a.x + a.y + b.x + b.y, total);
    longlong2 s, t;
    s.x = run;
    s.y = s.x + a.x;
    t.x = s.y + a.y;
    t.y = t.x + b.x;
    p[0] = s;
    p[1] = t;
    if (threadIdx.x == 0) totals[blockIdx.x] = total;
}
