// fails: correct
// The elements that are left over are not computed.
__global__ void scale(const float* in, float* out, int n) {
    int threads = gridDim.x * blockDim.x;
    for (int k = 0; k < n / threads; ++k) {
        int i = k * threads + blockIdx.x * blockDim.x + threadIdx.x;
        out[i] = 2 * in[i] + 1;
    }
}
