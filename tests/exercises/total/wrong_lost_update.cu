// fails: correct, global_atomics
// non-atomic volatile update of out by each block
__global__ void total(const int* in, int* out, int n) {
    __shared__ int s[128]; int t = threadIdx.x, v = 0;
    for (int i = blockIdx.x * 128 + t; i < n; i += 1024) v += in[i];
    s[t] = v; __syncthreads();
    for (int h = 64; h; h >>= 1) { if (t < h) s[t] += s[t + h]; __syncthreads(); }
    if (!t) { volatile int* o = out; *o = *o + s[0]; }
}
