// What called.cu is compared with.
__device__ int mirrored(int* s, int v) {
    int t = threadIdx.x;
    s[t] = v;
    __syncthreads();
    int w = s[blockDim.x - 1 - t];
    return w;
}
__global__ void right(const int* in, int* out) {
    __shared__ int s[64];
    out[threadIdx.x] = mirrored(s, in[threadIdx.x]);
}
