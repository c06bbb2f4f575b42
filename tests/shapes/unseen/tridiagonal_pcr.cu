// Solves one system with three diagonals a block by parallel cyclic reduction in double: each equation takes in the ones 1, 2, 4, ... below and above.
struct Eq { double a, b, c, d; };

__global__ void pcr(const double *lo, const double *di, const double *up,
                    const double *rhs, double *x, int n)
{
    extern __shared__ Eq eq[];
    const int i = threadIdx.x;
    const int g = blockIdx.x * n + i;
    Eq e = {lo[g], di[g], up[g], rhs[g]};
    if (i == 0) e.a = 0;
    if (i == n - 1) e.c = 0;
    eq[i] = e;
    __syncthreads();

    for (int s = 1; s < n; s += s) {
        const Eq p = i - s >= 0 ? eq[i - s] : Eq{0, 1, 0, 0};
        const Eq q = i + s < n ? eq[i + s] : Eq{0, 1, 0, 0};
        const double kp = e.a / p.b, kq = e.c / q.b;
        e.b -= kp * p.c + kq * q.a;
        e.d -= kp * p.d + kq * q.d;
        e.a = -kp * p.a;
        e.c = -kq * q.c;
        __syncthreads();
        eq[i] = e;
        __syncthreads();
    }
    x[g] = e.d / e.b;
}
