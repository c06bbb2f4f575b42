// fails: correct, races
// Nothing orders the first step of the tree.
__global__ void total(const int* in, int* out, int n) {
    __shared__ int part[128];
    int t = threadIdx.x;
    int sum = 0;
    for (int i = blockIdx.x * 128 + t; i < n; i += gridDim.x * 128)
        sum += in[i];
    part[t] = sum;
    for (int s = 64; s > 0; s /= 2) {
        if (t < s) part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0) atomicAdd(out, part[0]);
}
