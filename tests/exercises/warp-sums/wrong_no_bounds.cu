// fails: correct, load_sectors
// Lanes beyond the end load what is not there.
__global__ void warp_sums(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = in[i];
    for (int delta = 16; delta > 0; delta /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, delta);
    if (threadIdx.x % 32 == 0 && i < n) out[i / 32] = sum;
}
