template <bool Odd> __device__ void element(const int* in, int* out, int i, int n, int steps) {
    int s = 0, at = i;
    for (int k = 0; k < steps; ++k) { s += Odd ? k * in[at] : in[at]; at += Odd ? 3 : 1; while (at >= n) at -= n; }
    out[i] = s;
}
__global__ void even_odd(const int* in, int* out, int n, int steps) {
    int t = blockDim.x * blockIdx.x + threadIdx.x, odds = n / 2;
    if (t < odds) element<true>(in, out, 2 * t + 1, n, steps);
    else if (t < n) element<false>(in, out, 2 * (t - odds), n, steps);
}
