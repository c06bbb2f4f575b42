// fails: correct, races, barriers_per_thread
// Nothing orders the steps of the tree.
__global__ void reduce(const int* in, int* out, int n) {
    __shared__ int part[128];
    int t = threadIdx.x;
    int i = blockIdx.x * 128 + t;
    part[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int s = 64; s > 0; s /= 2) {
        if (t < s) part[t] += part[t + s];
    }
    if (t == 0) out[blockIdx.x] = part[0];
}
