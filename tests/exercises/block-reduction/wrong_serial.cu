// fails: barriers_per_thread, shared_requests, shared_bytes, load_requests
__global__ void reduce(const int* in, int* out, int n) {
    if (threadIdx.x == 0) { int s = 0; for (int k = 0; k < 128 && blockIdx.x * 128 + k < n; ++k) s += in[blockIdx.x * 128 + k]; out[blockIdx.x] = s; }
}
