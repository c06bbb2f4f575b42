// fails: correct, races, store_requests
// The barrier stands where not all threads come.
__global__ void reverse(const int* in, int* out, int n) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    int first = blockIdx.x * 64;
    int count = min(64, n - first);
    if (t >= count) return;
    tile[t] = in[first + t];
    if (t % 2 == 0) __syncthreads();
    out[first + t] = tile[count - 1 - t];
}
