// The same within warps, with no __syncwarp(), as in the Racecheck samples of compute-sanitizer.
// Launch: <<<1, 64>>>.
__global__ void warp_sum(const int* in, int* out) {
    __shared__ volatile int values[64];
    values[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x % 32 == 0) {
        int sum = 0;
        for (int i = 0; i < 32; ++i)
            sum += values[threadIdx.x + i];
        out[threadIdx.x / 32] = sum;
    }
}
