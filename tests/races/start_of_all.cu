// Every thread sets the start value of a minimum: a late warp wipes out what an early one has found.
__global__ void start_of_all(const int* in, int* out) {
    __shared__ int least;
    least = 1 << 30;
    atomicMin(&least, in[threadIdx.x]);
    __syncthreads();
    out[threadIdx.x] = in[threadIdx.x] - least;
}
