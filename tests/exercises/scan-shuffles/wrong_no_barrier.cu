// fails: correct, races
// Adds totals that are not there yet.
__global__ void scan(const int* in, int* out, int n) {
    __shared__ int totals[4];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int i = blockIdx.x * 128 + threadIdx.x;
    int sum = i < n ? in[i] : 0;
    for (int delta = 1; delta < 32; delta *= 2) {
        int other = __shfl_up_sync(0xffffffff, sum, delta);
        if (lane >= delta) sum += other;
    }
    if (lane == 31) totals[warp] = sum;
    for (int w = 0; w < warp; ++w)
        sum += totals[w];
    if (i < n) out[i] = sum;
}
