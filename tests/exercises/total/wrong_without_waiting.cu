// fails: correct, global_atomics, busiest_warp_loads
// row counts with volatile across blocks for last-block without fence/counter: block 7 assumes the others are done
__device__ int part[8];
__global__ void total(const int* in, int* out, int n) {
    __shared__ int s[128]; int t = threadIdx.x, v = 0; volatile int* p = part;
    for (int i = blockIdx.x * 128 + t; i < n; i += 1024) v += in[i];
    s[t] = v; __syncthreads();
    for (int h = 64; h; h >>= 1) { if (t < h) s[t] += s[t + h]; __syncthreads(); }
    if (!t) { p[blockIdx.x] = s[0]; if (blockIdx.x == 7) { int r = 0; for (int k = 0; k < 8; ++k) r += p[k]; *out = r; } }
}
