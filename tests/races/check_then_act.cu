// A maximum by comparison and store, a question asked over and over in CUDA forums. Launch: <<<2, 64>>>.
__global__ void check_then_act(const int* in, int* most) {
    const int value = in[threadIdx.x + blockIdx.x * blockDim.x];
    if (value > *most) *most = value;
}
