// The upper end folds onto the lower end.
template <class T> __device__ void fold(T* s, int t, int width) { if (t < width / 2) s[t] += s[width - 1 - t]; }
__global__ void reduce(const int* in, int* out, int n) {
    extern __shared__ int none[];
    __shared__ int s[128];
    int t = threadIdx.x, at = blockIdx.x * 128 + t;
    s[t] = at < n ? in[at] : 0;
    __syncthreads();
    for (int width = 128; width > 1; width /= 2) { fold(s, t, width); __syncthreads(); }
    if (!t) out[blockIdx.x] = *s;
}
