// The barrier is missing in a function that the kernel calls.
__device__ int mirrored(int* s, int v) {
    int t = threadIdx.x;
    s[t] = v;
    int w = s[blockDim.x - 1 - t];
    return w;
}
__global__ void called(const int* in, int* out) {
    __shared__ int s[64];
    out[threadIdx.x] = mirrored(s, in[threadIdx.x]);
}
