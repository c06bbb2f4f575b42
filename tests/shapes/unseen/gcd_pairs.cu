// Greatest common divisor of each pair of 64-bit numbers by Euclid, and how many divisions it took.
typedef unsigned long long u64;

__global__ void gcd_pairs(const u64 *p, const u64 *q, u64 *g, int *divisions, unsigned n)
{
    const unsigned id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= n) return;
    u64 a = p[id], b = q[id];
    int k = 0;
    while (b != 0) {
        u64 rest = a % b;
        a = b;
        b = rest;
        k++;
    }
    g[id] = a;
    divisions[id] = k;
}
