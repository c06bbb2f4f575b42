// fails: shuffles, load_requests, load_sectors
// One lane loads and adds all elements of the warp.
__global__ void warp_sums(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x % 32 != 0 || i >= n) return;
    int sum = 0;
    for (int k = 0; k < 32 && i + k < n; ++k)
        sum += in[i + k];
    out[i / 32] = sum;
}
