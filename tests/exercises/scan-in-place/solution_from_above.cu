// The threads are numbered from the end, and the last step stores straight to out.
__global__ void scan(const int* in, int* out, int n) {
    __shared__ int s[128];
    int e = 127 - threadIdx.x, i = blockIdx.x * 128 + e;
    s[e] = i < n ? in[i] : 0;
    __syncthreads();
#pragma unroll
    for (int step = 1; step < 64; step += step) {
        int sum = s[e];
        if (e >= step) sum += s[e - step];
        __syncthreads();
        s[e] = sum;
        __syncthreads();
    }
    if (i < n) out[i] = s[e] + (e >= 64 ? s[e - 64] : 0);
}
