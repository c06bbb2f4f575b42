// The kernels behind ncu_h200.csv, exactly as they were profiled (nvcc 13.0, -O3 -arch=sm_90, NVIDIA H200).
// n, m: matrix width and height in elements; matrices are row-major float32.

__global__ void matmul_naive(const float* a, const float* b, float* c, int n) {          // block 16x16
    int r = blockIdx.y * blockDim.y + threadIdx.y, q = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < n && q < n) { float s = 0; for (int k = 0; k < n; ++k) s += a[r * n + k] * b[k * n + q]; c[r * n + q] = s; }
}

template <int T> __global__ void matmul_tiled(const float* a, const float* b, float* c, int n) {   // block TxT, n % T == 0
    __shared__ float as[T][T], bs[T][T];
    int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * T + ty, q = blockIdx.x * T + tx;
    float s = 0;
    for (int p = 0; p < n / T; ++p) {
        as[ty][tx] = a[r * n + p * T + tx];
        bs[ty][tx] = b[(p * T + ty) * n + q];
        __syncthreads();
        for (int k = 0; k < T; ++k) s += as[ty][k] * bs[k][tx];
        __syncthreads();
    }
    c[r * n + q] = s;
}

template <int T> __global__ void matmul_tiled_bounds(const float* a, const float* b, float* c, int n) {   // block TxT, any n
    __shared__ float as[T][T], bs[T][T];
    int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * T + ty, q = blockIdx.x * T + tx;
    float s = 0;
    for (int p = 0; p < (n + T - 1) / T; ++p) {
        as[ty][tx] = (r < n && p * T + tx < n) ? a[r * n + p * T + tx] : 0.f;
        bs[ty][tx] = (p * T + ty < n && q < n) ? b[(p * T + ty) * n + q] : 0.f;
        __syncthreads();
        for (int k = 0; k < T; ++k) s += as[ty][k] * bs[k][tx];
        __syncthreads();
    }
    if (r < n && q < n) c[r * n + q] = s;
}

__global__ void transpose_naive(const float* in, float* out, int m, int n) {               // block 32x8, in is m x n
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < m) out[x * m + y] = in[y * n + x];
}

template <int PAD> __global__ void transpose_shared(const float* in, float* out, int m, int n) {   // block 32x8; PAD 0 or 1
    __shared__ float t[32][32 + PAD];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) t[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x; y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[(y + j) * m + x] = t[threadIdx.x][threadIdx.y + j];
}

__global__ void reduce1(const int* g, int* o) {                                             // dynamic shared: blockDim.x ints
    extern __shared__ int s[];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = g[i]; __syncthreads();
    for (unsigned k = 1; k < blockDim.x; k *= 2) { int x = 2 * k * t; if (x < (int)blockDim.x) s[x] += s[x + k]; __syncthreads(); }
    if (t == 0) o[blockIdx.x] = s[0];
}

__global__ void reduce2(const int* g, int* o) {
    extern __shared__ int s[];
    unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = g[i]; __syncthreads();
    for (unsigned k = blockDim.x / 2; k > 0; k >>= 1) { if (t < k) s[t] += s[t + k]; __syncthreads(); }
    if (t == 0) o[blockIdx.x] = s[0];
}

__device__ void last_warp(volatile int* s, int t) { s[t] += s[t + 32]; s[t] += s[t + 16]; s[t] += s[t + 8]; s[t] += s[t + 4]; s[t] += s[t + 2]; s[t] += s[t + 1]; }

__global__ void reduce4(const int* g, int* o) {                                             // grid = n / (2 * blockDim.x)
    extern __shared__ int s[];
    unsigned t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + t;
    s[t] = g[i] + g[i + blockDim.x]; __syncthreads();
    for (unsigned k = blockDim.x / 2; k > 32; k >>= 1) { if (t < k) s[t] += s[t + k]; __syncthreads(); }
    if (t < 32) last_warp(s, t);
    if (t == 0) o[blockIdx.x] = s[0];
}

__global__ void copy_offset(const float* a, float* b, int offset) { int i = blockIdx.x * blockDim.x + threadIdx.x + offset; b[i] = a[i] + 1; }   // grid 1024, block 256
__global__ void copy_stride(const float* a, float* b, int stride) { int i = (blockIdx.x * blockDim.x + threadIdx.x) * stride; b[i] = a[i] + 1; }
template __global__ void matmul_tiled<16>(const float*, const float*, float*, int);
template __global__ void matmul_tiled_bounds<16>(const float*, const float*, float*, int);
template __global__ void transpose_shared<0>(const float*, float*, int, int);
template __global__ void transpose_shared<1>(const float*, float*, int, int);
