// What a student begins with: it compiles, and fails a rule or two.
__global__ void mirrored(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}
