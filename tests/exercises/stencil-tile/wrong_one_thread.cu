// fails: store_requests
// One thread slides along the tile.
__global__ void stencil(const int* in, int* out, int n) {
    __shared__ int s[130];
    int t = threadIdx.x, b = blockIdx.x * 128;
    for (int k = t; k < 130; k += 128) s[k] = b + k - 1 >= 0 && b + k - 1 < n ? in[b + k - 1] : 0;
    __syncthreads();
    if (t == 0) { int x = s[0], y = s[1]; for (int k = 0; k < 128 && b + k < n; ++k) { int z = s[k + 2]; out[b + k] = x + y + z; x = y; y = z; } }
}
