// Whose number stands where is decided by the order of the atomic operations.
__global__ void append(const int* in, int* out, int* count) {
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    if (v % 3 == 0)
        out[atomicAdd(count, 1)] = v;
}
