// fails: load_sectors
// Each thread has a run of elements of its own.
__global__ void total(const int* in, int* out, int n) {
    __shared__ int part[128];
    int t = threadIdx.x;
    int sum = 0;
    int each = (n + 1023) / 1024, first = (blockIdx.x * 128 + t) * each;
    for (int i = first; i < first + each && i < n; ++i)
        sum += in[i];
    part[t] = sum;
    __syncthreads();
    for (int s = 64; s > 0; s /= 2) {
        if (t < s) part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0) atomicAdd(out, part[0]);
}
