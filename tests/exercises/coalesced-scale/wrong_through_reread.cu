// fails: sectors
// Stores first, then loads its own result again.
__global__ void scale(const float* in, float* out, int n) {
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += 512) { ((volatile float*)out)[i] = 2 * in[i]; ((volatile float*)out)[i] += 1; }
}
