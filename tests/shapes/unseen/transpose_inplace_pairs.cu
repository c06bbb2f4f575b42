// Transposes a square matrix of doubles in place: each block swaps one tile with its mirror image; 64 threads in a line, tiles swizzled with xor.
static __device__ __forceinline__ int swz(int r, int c) { return (r << 4) | (c ^ r); }

__global__ void __launch_bounds__(64) mirror_tiles(double *m, unsigned n)
{
    __shared__ double upper[256], lower[256];

    // number of the block -> tile (ti, tj) with ti <= tj
    unsigned tj = 0, first = 0;
    while (first + tj + 1 <= blockIdx.x) { first += tj + 1; ++tj; }
    const unsigned ti = blockIdx.x - first;

    const unsigned c = threadIdx.x % 16, r0 = threadIdx.x / 16;
    double *u = m + (size_t)ti * 16 * n + tj * 16;
    double *l = m + (size_t)tj * 16 * n + ti * 16;

    for (unsigned r = r0; r < 16; r += 4) {
        upper[swz(r, c)] = u[r * n + c];
        lower[swz(r, c)] = l[r * n + c];
    }
    __syncthreads();
    for (unsigned r = r0; r < 16; r += 4) {
        u[r * n + c] = lower[swz(c, r)];
        l[r * n + c] = upper[swz(c, r)];
    }
}
