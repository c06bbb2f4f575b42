// fails: shared_bytes, barriers_per_thread, shuffles
// A tree in shared memory.
// Correct, but lanes of a warp need no shared memory and no barrier to exchange values.
__global__ void warp_sums(const int* in, int* out, int n) {
    __shared__ int part[128];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? in[i] : 0;
    for (int s = 16; s > 0; s /= 2) {
        __syncthreads();
        int other = t % 32 < s ? part[t + s] : 0;
        __syncthreads();
        part[t] += other;
    }
    if (t % 32 == 0 && i < n) out[i / 32] = part[t];
}
