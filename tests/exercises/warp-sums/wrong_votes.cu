// fails: shuffles
// Adds the bits of all lanes, a vote for each.
__global__ void warp_sums(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = i < n ? in[i] : 0, s = 0;
    for (int b = 0; b < 32; ++b) s += __popc(__ballot_sync(~0u, v >> b & 1)) << b;
    if (threadIdx.x % 32 == 0 && i < n) out[i / 32] = s;
}
