// fails: shuffles, load_requests, load_sectors
// One warp has all sums: each thread adds up 32 elements that follow each other.
__global__ void warp_sums(const int* in, int* out, int n) {
    int w = blockIdx.x * 128 + threadIdx.x, s = 0;
    if (w * 32 >= n) return;
    for (int k = w * 32; k < min(n, w * 32 + 32); ++k) s += in[k];
    out[w] = s;
}
