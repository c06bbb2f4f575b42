// fails: load_sectors
// A tile for each warp: the neighbors at the edges of the warps are loaded twice.
__global__ void stencil(const int* in, int* out, int n) {
    __shared__ int tile[4][34];
    int t = threadIdx.x, l = t % 32, i = blockIdx.x * 128 + t;
    int* s = tile[t / 32];
    s[l + 1] = i < n ? in[i] : 0;
    if (l == 0) s[0] = i > 0 && i <= n ? in[i - 1] : 0;
    if (l == 31) s[33] = i + 1 < n ? in[i + 1] : 0;
    __syncwarp();
    if (i < n) out[i] = s[l] + s[l + 1] + s[l + 2];
}
