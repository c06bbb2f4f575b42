template <int Threads> __device__ __forceinline__ void run(const float* in, float* out, int n, int me) {
    for (int base = (n - 1) / Threads * Threads; base >= 0; base -= Threads)
        if (base + me < n) out[base + me] = 2 * in[base + me] + 1;
}
__global__ void scale(const float* in, float* out, int n) { run<512>(in, out, n, (gridDim.x - 1 - blockIdx.x) * 128 + threadIdx.x); }
