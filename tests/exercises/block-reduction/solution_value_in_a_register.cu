// A thread keeps its sum in a register; in the last warp all lanes go along.
__global__ void reduce(const int* in, int* out, int n) {
    __shared__ int given[128];
    const unsigned t = threadIdx.x, at = blockIdx.x * blockDim.x + t;
    int v = given[t] = at < n ? in[at] : 0;
    __syncthreads();
    if (t < 64) given[t] = v += given[t + 64];
    __syncthreads();
    if (t >= 32) return;
    given[t] = v += given[t + 32];
    for (unsigned s = 16; s; s /= 2) {
        __syncwarp();
        int other = given[t ^ s];
        __syncwarp();
        given[t] = v += other;
    }
    if (t == 0) out[blockIdx.x] = v;
}
