// fails: shared_requests
// One warp scans the four parts one after the other and carries the total along.
__global__ void scan(const int* in, int* out, int n) {
    int lane = threadIdx.x, carry = 0;
    if (lane >= 32) return;
    for (int i = blockIdx.x * 128 + lane; i - lane < min(n, blockIdx.x * 128 + 128); i += 32) {
        int v = i < n ? in[i] : 0;
        for (int d = 1; d < 32; d *= 2) { int u = __shfl_up_sync(~0u, v, d); if (lane >= d) v += u; }
        v += carry;
        if (i < n) out[i] = v;
        carry = __shfl_sync(~0u, v, 31);
    }
}
