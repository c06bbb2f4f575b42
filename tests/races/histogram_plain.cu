// A histogram without atomics, the first attempt of CUDA by Example, chapter 9. Launch: <<<2, 64>>>.
__global__ void histogram_plain(const unsigned char* in, unsigned* bins) {
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    bins[in[i] % 4]++;
}
