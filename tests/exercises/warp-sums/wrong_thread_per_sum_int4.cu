// fails: shuffles, load_requests, load_sectors
// A thread for each sum, four elements with a load: neighboring threads are 32 elements apart.
__global__ void warp_sums(const int* in, int* out, int n) {
    int w = blockIdx.x * 128 + threadIdx.x, s = 0, k = w * 32;
    if (k >= n) return;
    for (; k + 3 < min(n, w * 32 + 32); k += 4) { int4 v = *(const int4*)(in + k); s += v.x + v.y + v.z + v.w; }
    for (; k < min(n, w * 32 + 32); ++k) s += in[k];
    out[w] = s;
}
