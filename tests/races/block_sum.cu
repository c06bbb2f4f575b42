// A sum over a block whose first thread adds up without a barrier, as in the Racecheck samples of
// compute-sanitizer. Launch: <<<1, 128>>>.
__global__ void block_sum(const int* in, int* out) {
    __shared__ int values[128];
    values[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int i = 0; i < 128; ++i)
            sum += values[i];
        *out = sum;
    }
}
