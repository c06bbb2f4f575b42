// Leaky ReLU of each element.
__global__ void leaky_relu_kernel(const float* input, float* output, int N) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < N) {
        if (input[idx] > 0)
            output[idx] = input[idx];
        else
            output[idx] = 0.01f * input[idx];
    }
}
