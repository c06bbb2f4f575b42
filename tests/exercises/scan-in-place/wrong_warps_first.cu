// fails: barriers_per_thread
// Warps scan their parts with __syncwarp(), then the totals are added.
__global__ void scan(const int* in, int* out, int n) {
    __shared__ int s[128];
    int t = threadIdx.x, l = t & 31, i = blockIdx.x * 128 + t;
    s[t] = i < n ? in[i] : 0;
    for (int d = 1; d < 32; d *= 2) {
        __syncwarp();
        int u = l >= d ? s[t - d] : 0;
        __syncwarp();
        s[t] += u;
    }
    __syncthreads();
    int before = 0;
    for (int w = 31; w < t / 32 * 32; w += 32) before += s[w];
    if (i < n) out[i] = s[t] + before;
}
