// fails: shuffles
// Gets the value of each lane by itself.
__global__ void warp_sums(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = i < n ? in[i] : 0;
    int own = sum;
    for (int lane = 1; lane < 32; ++lane)
        sum += __shfl_sync(0xffffffff, own, lane);
    if (threadIdx.x % 32 == 0 && i < n) out[i / 32] = sum;
}
